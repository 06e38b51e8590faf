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
        const auto by_writes = counted_by("pcie.writes", "the NIC wrote nothing");
        const auto by_nic = counted_by("pcie.read_requests+pcie.writes", "the NIC read and wrote nothing");
        const auto by_dram = bound_counted_by("root.dram_reads+root.dram_writes", "the cache held everything");
        field("llc_read", llc_read, delay, "time for the root complex to read a line from the last-level cache",
              Mark::derived, counted_by("pcie.read_requests", "the NIC read nothing"));
        field("write_visible", write_visible, delay, "from the root port to globally visible, for a posted write",
              Mark::derived, by_writes);
        field("dram_extra", dram_extra, delay, "extra time for a line that is in DRAM", Mark::seen,
              counted_by("root.dram_reads+root.dram_writes", "nothing went to DRAM"));
        field("llc_size", llc_size, between(0_B, Bytes{1ULL << 40U}), "size of the CPU's last-level cache",
              Mark::estimate, by_dram);
        // More ways of the same cache leave less of it to a device's writes, and fewer ways less to software.
        field("llc_ways", llc_ways, between(1U, 64U), "ways of the last-level cache", Mark::memory, by_nic);
        field("ddio", ddio, "a device's writes go to the last-level cache; if not, to DRAM", Mark::memory, by_writes);
        field("ddio_ways", ddio_ways, between(0U, 64U), "ways that a device's writes may fill", Mark::memory, by_nic);
        field("remote_socket", remote_socket, "the memory is on the other socket", Mark::documented, by_nic);
        field("numa_extra", numa_extra, delay,
              "extra time for a read of the other socket's memory; a write takes half of it", Mark::memory,
              used_if("root.remote_socket", "no memory was on the other socket"));
        field("strict_write_cap", strict_write_cap, between(Bandwidth{0}, 100'000_Gbps),
              "rate at which writes become visible without relaxed ordering; 0: no limit", Mark::estimate, by_writes);
    }
};

}  // namespace ndsim
