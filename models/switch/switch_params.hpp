// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// When a switch forwards a packet: when its header is there, or all of it.
enum class Forwarding : std::uint8_t { cut_through, store_and_forward };
inline constexpr std::array<std::string_view, 2> kForwardingNames{"cut_through", "store_and_forward"};

// A switch of the network. Of the link's default of 425 ns for a packet through a switch, 92 ns are those of the MACs
// at its ports, which here belong to the links.
struct SwitchParams {
    Forwarding forwarding = Forwarding::cut_through;
    Picoseconds latency = std::chrono::nanoseconds{333};
    Bytes buffer = 16_MiB;
    Bytes port_buffer{};
    bool pause = false;

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::microseconds;
        field("forwarding", forwarding, kForwardingNames,
              "whether a packet leaves once its header has arrived, or once all of it has", Mark::estimate,
              counted_by("*.packets", "nothing went through it"));
        field("latency", latency, between(Picoseconds{0}, microseconds{100}),
              "from the MAC of one port into the queue of another, without the MACs", Mark::estimate,
              counted_by("*.packets", "nothing went through it"));
        field("buffer", buffer, between(16_KiB, 1024_MiB), "room for the packets waiting at all ports together",
              Mark::estimate, bound_counted_by("*.drops+*.pauses", "it was never full"));
        field("port_buffer", port_buffer, between(0_B, 1024_MiB),
              "the most of the buffer that one port may use; 0: all of it", Mark::estimate,
              bound_counted_by("*.drops", "no packet was dropped"));
        field("pause", pause,
              "pause frames stop a neighbour before its share of the buffer, equal for each port, overflows; if not, "
              "packets are dropped",
              Mark::estimate, bound_counted_by("*.pauses", "no neighbour was stopped", "false"));
    }
};

}  // namespace ndsim
