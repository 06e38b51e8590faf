// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// Translation of a device's addresses. Defaults are preset B's.
struct IommuParams {
    bool enabled = false;
    Bytes page{4096};
    std::uint32_t iotlb_entries = 64;
    std::uint32_t parallel_walks = 5;
    Picoseconds miss = std::chrono::nanoseconds{260};
    std::uint32_t write_iotlb_entries = 0;
    Picoseconds write_miss = std::chrono::nanoseconds{260};
    bool ats = false;
    std::uint32_t atc_entries = 0;
    Picoseconds ats_rtt = std::chrono::nanoseconds{700};

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::microseconds;
        using std::chrono::nanoseconds;
        const auto delay = between(nanoseconds{0}, microseconds{100});
        const auto if_enabled = used_if("iommu.enabled", "the IOMMU was off");
        field("enabled", enabled, "the device's addresses are translated", Mark::documented,
              counted_by("pcie.read_requests+pcie.writes", "the NIC read and wrote nothing"));
        field("page", page, powers_of_two(4096_B, Bytes{1U << 30U}), "bytes that one translation covers", Mark::seen,
              if_enabled);
        field("iotlb_entries", iotlb_entries, between(1U, 1U << 20U), "translations that the root complex keeps",
              Mark::seen, if_enabled, bound_counted_by("root.iotlb_misses", "no page was missing in the IOTLB"));
        field("parallel_walks", parallel_walks, between(1U, 1024U), "simultaneous page walks", Mark::derived);
        field("miss", miss, delay, "time of one page walk", Mark::seen,
              counted_by("root.iotlb_misses", "no page was missing in the IOTLB"));
        field("write_iotlb_entries", write_iotlb_entries, between(0U, 1U << 20U),
              "translations that the root complex keeps for writes; 0: they share those of reads", Mark::derived,
              if_enabled);
        field("write_miss", write_miss, delay, "time of one page walk for a write, if writes have their own IOTLB",
              Mark::derived, if_enabled, used_if("iommu.write_iotlb_entries", "writes did not have their own IOTLB"),
              counted_by("root.iotlb_misses", "no page was missing in the IOTLB"));
        field("ats", ats, "the device asks for translations (ATS) and keeps them", Mark::estimate, if_enabled);
        field("atc_entries", atc_entries, between(0U, 1U << 20U),
              "translations that the device keeps, with ATS; 0: it asks each time", Mark::estimate, if_enabled,
              used_if("iommu.ats", "the NIC asked for no translation"));
        field("ats_rtt", ats_rtt, delay, "from a translation request of the device to its answer", Mark::estimate,
              counted_by("root.ats_requests", "the NIC asked for no translation"));
    }
};

}  // namespace ndsim
