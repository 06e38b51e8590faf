// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/units.hpp"

namespace ndsim::report {

enum class TimelineKind : std::uint8_t { value, packet, hold };

// An event of timeline.json for reports: a counter's value, a packet on a lane or in flight, or the time of a request
// at a fence or after an RNR NAK.
struct TimelineEvent {
    TimelineKind kind{};
    std::string track;  // or the counter
    std::string name;   // of a packet: its opcode; of a hold: its account
    std::string request;
    Picoseconds begin{};
    Picoseconds end{};
    nlohmann::json arguments;
};

// Reads line by line, any length of file, compressed or not. cli::UsageError if the file is cut off, and with the
// line's number if the format is not ndsim's.
void read_timeline(const std::string& path, const std::function<void(const TimelineEvent&)>& take);

}  // namespace ndsim::report
