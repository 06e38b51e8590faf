// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "sim/base/units.hpp"

namespace ndsim {

// What an event of timeline.json may be, in the order in which events of one picosecond stand there: what ends makes
// room for what begins, and an arrow comes behind the slice that it is bound to.
enum class TraceKind : std::uint8_t { end, begin, slice, counter, flow_start, flow_step, flow_end };

// TraceEvent: one line of timeline.json, before it is known where in its track it is shown.
struct TraceEvent {
    TraceKind kind{};
    std::uint32_t track = 0;
    Picoseconds at{};
    Picoseconds duration{};  // of a slice
    // Who the slice is of. What has the same owner as a slice that has begun, and not ended, is shown in it; an arrow
    // is bound to the slice of its owner. 0: nobody.
    std::uint64_t owner = 0;
    std::string text;          // its name and the like: members of the JSON object
    std::uint64_t number = 0;  // running, in the order in which events were told

    // Of slices that begin together, the longer one holds the shorter one.
    [[nodiscard]] auto key() const { return std::tuple(at, kind, -duration, number); }
};

}  // namespace ndsim
