// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// The root complex and the memory behind it. Defaults are preset B's.
struct RootParams {
    Picoseconds llc_read = std::chrono::nanoseconds{120};
    Picoseconds write_visible = std::chrono::nanoseconds{80};
    Picoseconds dram_extra = std::chrono::nanoseconds{80};
    Bytes llc_size{22ULL << 20U};
    std::uint32_t llc_ways = 11;
    bool ddio = true;
    std::uint32_t ddio_ways = 2;
    bool remote_socket = false;
    Picoseconds numa_extra = std::chrono::nanoseconds{100};
    Bandwidth strict_write_cap{0};

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::microseconds;
        using std::chrono::nanoseconds;
        const auto delay = between(nanoseconds{0}, microseconds{100});
        field("llc_read", llc_read, delay, "root complex reads a line that the last-level cache holds", Mark::derived);
        field("write_visible", write_visible, delay, "root port to globally visible, for a posted write",
              Mark::derived);
        field("dram_extra", dram_extra, delay, "more for a line that is in DRAM", Mark::seen);
        field("llc_size", llc_size, between(0_B, Bytes{1ULL << 40U}), "last-level cache of the CPU", Mark::estimate);
        field("llc_ways", llc_ways, between(1U, 64U), "ways of the last-level cache", Mark::memory);
        field("ddio", ddio, "a device's writes go to the last-level cache; if not, to DRAM", Mark::memory);
        field("ddio_ways", ddio_ways, between(0U, 64U), "ways that a device's writes may fill", Mark::memory);
        field("remote_socket", remote_socket, "the memory is at the other socket", Mark::documented);
        field("numa_extra", numa_extra, delay, "more for a read of the other socket's memory; for a write, half of it",
              Mark::memory);
        field("strict_write_cap", strict_write_cap, between(Bandwidth{0}, 100'000_Gbps),
              "rate at which writes become visible without relaxed ordering; 0: no limit", Mark::estimate);
    }
};

}  // namespace ndsim
