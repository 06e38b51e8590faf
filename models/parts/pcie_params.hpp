// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/exact_rate.hpp"
#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// The PCIe link, and parameters that the NIC and the host share. Defaults are preset B's.
struct PcieParams {
    std::uint32_t generation = 3;
    std::uint32_t width = 16;
    Fraction dll_overhead{50'000};
    Picoseconds one_way = std::chrono::nanoseconds{135};
    std::uint32_t switch_hops = 0;
    Picoseconds switch_hop = std::chrono::nanoseconds{115};
    Bytes mps{256};
    Bytes mrrs{512};
    Bytes rcb{64};
    Bytes write_header{24};
    Bytes read_header{24};
    Bytes completion_header{20};
    std::uint32_t tags = 256;
    std::uint32_t posted_headers = 128;
    std::uint32_t posted_data = 2048;
    std::uint32_t nonposted_headers = 128;
    std::uint32_t bar_posted_headers = 64;
    Picoseconds update_fc = std::chrono::nanoseconds{30};
    Bytes arbiter_grain{512};
    bool relaxed_ordering = false;

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::microseconds;
        using std::chrono::nanoseconds;
        const auto delay = between(nanoseconds{0}, microseconds{100});
        const auto by_bytes = counted_by("pcie.up_bytes+pcie.down_bytes", "nothing was on the link");
        const auto by_reads = counted_by("pcie.read_requests", "the NIC read nothing");
        field("generation", generation, between(3U, 5U), "PCIe generation", Mark::documented, by_bytes);
        field("width", width, powers_of_two(1U, 16U), "lanes", Mark::documented, by_bytes);
        field("dll_overhead", dll_overhead, between(Fraction{0}, Fraction{500'000}),
              "share of the raw rate that link-layer packets and skip sets take", Mark::derived, by_bytes);
        field("one_way", one_way, delay, "one-way delay through device core, PHYs and root port", Mark::derived,
              by_bytes);
        field("switch_hops", switch_hops, between(0U, 8U), "PCIe switches between device and root port",
              Mark::documented, by_bytes);
        field("switch_hop", switch_hop, delay, "one-way delay through a PCIe switch", Mark::seen,
              used_if("pcie.switch_hops", "there was no switch"));
        field("mps", mps, powers_of_two(128_B, 4096_B), "largest payload of a TLP", Mark::seen,
              counted_by("pcie.read_requests+pcie.writes", "the NIC read and wrote nothing"));
        field("mrrs", mrrs, powers_of_two(128_B, 4096_B), "largest read request", Mark::memory, by_reads);
        field("rcb", rcb, powers_of_two(64_B, 128_B), "boundary at which read completions are split", Mark::memory,
              by_reads);
        field("write_header", write_header, between(12_B, 64_B), "bytes of a memory write besides its data", Mark::seen,
              counted_by("pcie.writes+pcie.stores", "nothing was written over the link"));
        field("read_header", read_header, between(12_B, 64_B), "bytes of a read request", Mark::seen, by_reads);
        field("completion_header", completion_header, between(12_B, 64_B), "bytes of a completion besides its data",
              Mark::seen, by_reads);
        field("tags", tags, between(1U, 15360U), "tags, one for each read request in flight", Mark::seen,
              bound_counted_by("nic.dma.read_waits", "no read waited for one"));
        field("posted_headers", posted_headers, between(34U, 65536U), "credits of the root port for posted headers",
              Mark::estimate);
        field("posted_data", posted_data, between(272U, 1U << 20U), "credits for posted data, 16 bytes each",
              Mark::estimate);
        field("nonposted_headers", nonposted_headers, between(34U, 65536U),
              "credits of the root port for read requests", Mark::estimate);
        field("bar_posted_headers", bar_posted_headers, between(4U, 65536U), "credits of the NIC for stores of the CPU",
              Mark::estimate);
        field("update_fc", update_fc, delay, "from a freed buffer to its credit update on the link", Mark::estimate,
              floor_counted_by("pcie.credit_waits", "nothing waited for a credit"));
        field("arbiter_grain", arbiter_grain, between(64_B, 4096_B), "bytes sent before another source gets its turn",
              Mark::estimate, bound_counted_by("pcie.met_trains", "nothing met a train on the link"));
        field("relaxed_ordering", relaxed_ordering, "writes of a message may pass each other, except its last bytes",
              Mark::estimate, counted_by("pcie.writes", "the NIC wrote nothing"));
    }

    // From one end of the link to the other, all switches included.
    [[nodiscard]] constexpr Picoseconds flight() const { return one_way + switch_hops * switch_hop; }

    // The raw rate left for TLPs: 8, 16 or 32 GT/s a lane, coded 128/130, less the link layer's share.
    [[nodiscard]] constexpr ExactRate tlp_rate() const {
        const std::uint64_t transfers_per_second = 1'000'000'000ULL << generation;  // of one lane: 8 G for generation 3
        return ExactRate::of(8ULL * 1'000'000'000'000ULL * 130U, transfers_per_second * 128U * width)
            .reduced_by(dll_overhead);
    }
};

}  // namespace ndsim
