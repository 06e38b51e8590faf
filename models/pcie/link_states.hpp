// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "sim/kernel/engine_times.hpp"

// What each direction of a link does or waits for.
namespace ndsim {

enum UpState : std::size_t { kUpIdle, kUpBusy, kUpHeaders, kUpData, kUpReads, kUpStall };
inline constexpr std::string_view kNoPosted = "time with the upward direction free and a write without credits";
inline constexpr std::string_view kStalled = "time in which a fault of the scenario held it";
inline constexpr std::array kUpStates{
    EngineState{EngineState::kIdle, ""},
    EngineState{EngineState::kBusy, "time of the upward direction taken by TLPs", "up_busy"},
    EngineState{"posted_headers", kNoPosted, "up_blocked"},
    EngineState{"posted_data", kNoPosted, "up_blocked"},
    EngineState{"nonposted_headers", "time with only reads, and those without credits"},
    EngineState{"stall", kStalled}};
enum DownState : std::size_t { kDownIdle, kDownBusy, kDownHeaders, kDownStall };
inline constexpr std::array kDownStates{
    EngineState{EngineState::kIdle, ""},
    EngineState{EngineState::kBusy, "time of the downward direction taken by TLPs", "down_busy"},
    EngineState{"bar_headers", "time with the downward direction free and a store without credits"},
    EngineState{"stall", kStalled}};

}  // namespace ndsim
