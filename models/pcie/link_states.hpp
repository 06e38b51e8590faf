// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "models/pcie/link_direction.hpp"
#include "sim/kernel/engine_times.hpp"

// The activities and waits of each direction of a link.
namespace ndsim {

enum UpState : std::size_t { kUpIdle, kUpBusy, kUpHeaders, kUpData, kUpReads, kUpStall };
inline constexpr std::string_view kNoPosted = "time with the upward direction free and a write without credits";
inline constexpr std::string_view kStalled = "time in which a fault of the scenario stopped it";
inline constexpr std::array kUpStates{
    EngineState{EngineState::kIdle, ""},
    EngineState{EngineState::kBusy, "time of the upward direction taken by TLPs", "up_busy"},
    EngineState{"posted_headers", kNoPosted, "up_blocked"},
    EngineState{"posted_data", kNoPosted, "up_blocked"},
    EngineState{"nonposted_headers", "time with nothing but reads without credits"},
    EngineState{"stall", kStalled}};
enum DownState : std::size_t { kDownIdle, kDownBusy, kDownHeaders, kDownStall };
inline constexpr std::array kDownStates{
    EngineState{EngineState::kIdle, ""},
    EngineState{EngineState::kBusy, "time of the downward direction taken by TLPs", "down_busy"},
    EngineState{"bar_headers", "time with the downward direction free and a store without credits"},
    EngineState{"stall", kStalled}};

// A fault stops `direction`, which has these `times`, during `span`; afterwards its state is `rest`.
inline void hold(LinkDirection& direction, EngineTimes& times, std::size_t stall, std::size_t rest, Interval span) {
    if (const Picoseconds from = std::max(span.start, direction.bulk_free_at()); from < span.end) {
        times.enter(stall, from);
        times.enter(rest, span.end);
    }
    direction.hold_until(span.end);
}

}  // namespace ndsim
