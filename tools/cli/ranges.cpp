// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/ranges.hpp"

#include <algorithm>
#include <array>

namespace ndsim::cli {

namespace {

// From the low, typical and high values in the tables of timing.md (sections 2.4, 3 and 4); a preset's value has the
// same relative range.
constexpr auto kRanges = std::to_array<Range>({
    {"cpu.wqe_build", 60, 200, "30 to 100 ns for 50"},
    {"cpu.mmio_wc64", 67, 147, "50 to 110 ns for 75"},
    {"cpu.mmio_uc", 50, 300, "50 to 300 ns for 100"},
    {"cpu.poll_detect", 50, 167, "30 to 100 ns for 60"},
    {"cpu.poll_cq", 50, 167, "30 to 100 ns for 60"},
    {"cpu.msix_to_isr", 58, 250, "700 to 3000 ns for 1200"},
    {"root.dram_extra", 75, 138, "60 to 110 ns for 80"},
    {"root.numa_extra", 60, 150, "60 to 150 ns for 100"},
    {"root.write_visible", 70, 177, "150 to 380 ns for 215, of the whole way"},
    {"iommu.miss", 92, 127, "240 to 330 ns for 260"},
    {"iommu.iotlb_entries", 100, 200, "64 to 128 for 64"},
    {"iommu.parallel_walks", 80, 160, "4 to 8 for 5"},
    {"nic.doorbell_to_sched", 57, 286, "40 to 200 ns for 70"},
    {"nic.tx_pipe", 86, 714, "30 to 250 ns for 35"},
    {"nic.rx_pipe", 67, 333, "80 to 400 ns for 120"},
    {"nic.read_response_sched", 62, 123, "200 to 400 ns for 325"},
    {"nic.per_qp_rate", 33, 133, "2 to 8 M/s for 6"},
    {"nic.global_rate", 17, 220, "26 to 330 M/s for 150"},
    {"nic.qp_context_entries", 25, 500, "100 to 2000 for 400"},
    {"nic.qp_context_bytes", 50, 200, "128 to 512 B for 256"},
    {"nic.mtt_entries", 25, 400, "512 to 8192 for 2048"},
    {"nic.rx_buffer", 50, 800, "128 to 2048 KiB for 256"},
    {"nic.cqe_compression", 100, 100, "an option, which has no range"},
    {"link.fec", 50, 120, "50 to 120 ns for 100, or 0 without RS-FEC", "100 ns"},
    {"link.mac_tx", 87, 207, "80 to 190 ns for 92, both ends together"},
    {"link.mac_rx", 87, 207, "80 to 190 ns for 92, both ends together"},
    {"link.delay_per_metre", 86, 100, "4.3 to 5 ns for 5"},
    {"link.switch_hop", 71, 188, "300 to 800 ns for 425"},
});
constexpr Range kUnknown{"", 50, 200};

}  // namespace

const Range& range_of(std::string_view parameter) {
    const auto* const found = std::ranges::find(kRanges, parameter, &Range::parameter);
    return found == kRanges.end() ? kUnknown : *found;
}

}  // namespace ndsim::cli
