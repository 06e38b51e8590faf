// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "sim/base/units.hpp"

namespace ndsim {

// The kinds of events in timeline.json, in their order within one picosecond: an end makes room for a begin, and an
// arrow comes behind the slice that it is bound to.
enum class TraceKind : std::uint8_t { end, begin, slice, counter, flow_start, flow_step, flow_end };

// TraceEvent: one line of timeline.json, before its row in the track is known.
struct TraceEvent {
    TraceKind kind{};
    std::uint32_t track = 0;
    Picoseconds at{};
    Picoseconds duration{};  // of a slice; of a point of an arrow: until the arrow's end
    // The owner of the slice. A slice of the same owner as one that has begun, and not ended, is shown inside it; an
    // arrow is bound to the slice of its owner. 0: none. Of a counter its number.
    std::uint64_t owner = 0;
    std::string text;          // name and other members of the JSON object
    std::uint64_t number = 0;  // running, in the order of recording; 0: none yet

    [[nodiscard]] bool is_of_arrow() const { return kind >= TraceKind::flow_start; }
    // If slices begin together, the longer one holds the shorter one. Counters are in the order of their numbers, as
    // the time when a pool shows a departure depends on who looks at it.
    [[nodiscard]] auto key() const {
        return std::tuple(at, kind, kind == TraceKind::slice ? -duration : Picoseconds{},
                          kind == TraceKind::counter ? owner : 0, number);
    }
};

}  // namespace ndsim
