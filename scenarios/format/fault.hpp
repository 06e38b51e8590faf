// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/wire/fault_params.hpp"

namespace ndsim {

// The deliberate faults of a scenario: of packets on a lane, a whole link, a host's PCIe link, or a host's software.
enum class FaultKind : std::uint8_t { drop, corrupt, duplicate, delay, reorder, down, stall, freeze };
inline constexpr std::array<std::string_view, 8> kFaultKindNames{"drop",    "corrupt", "duplicate", "delay",
                                                                 "reorder", "down",    "stall",     "freeze"};

// The time for which something is out of order.
struct Outage {
    Picoseconds from{};
    Picoseconds until = std::chrono::hours{24};

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::hours;
        field("from", from, between(Picoseconds{0}, hours{24}), "when the fault begins", Mark::documented);
        field("until", until, between(Picoseconds{1}, hours{24}), "when the fault ends", Mark::documented);
    }
};

// A deliberate fault.
struct Fault {
    FaultKind kind{};
    std::string target;  // the sending host; of `down` the link; of `stall` and `freeze` the host
    std::string link;    // the link of the host; empty if it has only one
    FaultRule rule;      // of packets
    Outage outage;       // of the other kinds

    [[nodiscard]] bool is_of_packets() const { return kind <= FaultKind::reorder; }
};

}  // namespace ndsim
