// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/presets.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/config/params.hpp"

namespace ndsim {

namespace {

constexpr auto kSeen = Mark::seen;
constexpr auto kMemory = Mark::memory;
constexpr auto kDerived = Mark::derived;
constexpr auto kEstimate = Mark::estimate;
constexpr auto kDocumented = Mark::documented;

// timing.md section 7, row by row; source "modelling" are the rows that modelling.md adds to it. A mark is that of
// preset B's value.
constexpr std::array kRows{
    // what host software costs
    PresetRow{"cpu.wqe_build", {"50 ns", "50 ns", "45 ns", "40 ns"}, kEstimate, "E"},
    PresetRow{"cpu.mmio_wc64", {"75 ns", "75 ns", "70 ns", "65 ns"}, kEstimate, "E"},
    PresetRow{"cpu.mmio_uc", {"100 ns", "100 ns", "90 ns", "80 ns"}, kSeen, "S:iforum"},
    PresetRow{"cpu.store_buffer", {"42", "56", "72", "112"}, kMemory, "M"},
    PresetRow{"cpu.poll_detect", {"60 ns", "60 ns", "55 ns", "50 ns"}, kEstimate, "E"},
    PresetRow{"cpu.poll_cq", {"60 ns", "60 ns", "55 ns", "50 ns"}, kMemory, "M"},
    PresetRow{"cpu.msix_to_isr", {"1200 ns", "1200 ns", "1100 ns", "1000 ns"}, kEstimate, "E"},
    PresetRow{"cpu.event_wakeup", {"4 us", "4 us", "3500 ns", "3 us"}, kEstimate, "E"},
    // PCIe
    PresetRow{"pcie.generation", {"3", "3", "4", "5"}, kDocumented, "-"},
    PresetRow{"pcie.width", {"16", "16", "16", "16"}, kDocumented, "-"},
    PresetRow{"pcie.dll_overhead", {"5 %", "5 %", "5 %", "5 %"}, kDerived, "D"},
    PresetRow{"pcie.one_way", {"200 ns", "135 ns", "125 ns", "120 ns"}, kDerived, "D/E"},
    PresetRow{"pcie.mps", {"256 B", "256 B", "256 B", "256 B"}, kSeen, "S:cor"},
    PresetRow{"pcie.mrrs", {"512 B", "512 B", "512 B", "512 B"}, kMemory, "S:cor, M"},
    PresetRow{"pcie.rcb", {"64 B", "64 B", "64 B", "64 B"}, kMemory, "M"},
    PresetRow{"pcie.write_header", {"24 B", "24 B", "24 B", "24 B"}, kSeen, "S:pm"},
    PresetRow{"pcie.read_header", {"24 B", "24 B", "24 B", "24 B"}, kSeen, "S:pm"},
    PresetRow{"pcie.completion_header", {"20 B", "20 B", "20 B", "20 B"}, kSeen, "S:pm"},
    PresetRow{"pcie.tags", {"256", "256", "256", "768"}, kSeen, "S:cor, S:syn"},
    PresetRow{"pcie.posted_headers", {"128", "128", "128", "256"}, kEstimate, "E"},
    PresetRow{"pcie.posted_data", {"2048", "2048", "2048", "4096"}, kEstimate, "E"},
    PresetRow{"pcie.nonposted_headers", {"128", "128", "128", "256"}, kEstimate, "E"},
    PresetRow{"pcie.relaxed_ordering", {"false", "false", "true", "true"}, kEstimate, "E"},
    PresetRow{"pcie.arbiter_grain", {"512 B", "512 B", "512 B", "512 B"}, kEstimate, "modelling"},
    // the root complex and memory
    PresetRow{"root.llc_read", {"120 ns", "120 ns", "120 ns", "130 ns"}, kDerived, "D"},
    PresetRow{"root.write_visible", {"80 ns", "80 ns", "80 ns", "80 ns"}, kDerived, "D"},
    PresetRow{"root.dram_extra", {"80 ns", "80 ns", "80 ns", "90 ns"}, kSeen, "S:pb"},
    PresetRow{"root.llc_size", {"22 MiB", "22 MiB", "24 MiB", "30 MiB"}, kEstimate, "modelling"},
    PresetRow{"root.llc_ways", {"11", "11", "12", "15"}, kMemory, "M"},
    PresetRow{"root.ddio", {"true", "true", "true", "true"}, kMemory, "M"},
    PresetRow{"root.ddio_ways", {"2", "2", "2", "2"}, kMemory, "M"},
    PresetRow{"root.numa_extra", {"100 ns", "100 ns", "100 ns", "120 ns"}, kMemory, "M"},
    PresetRow{"root.strict_write_cap", {"0 Gbps", "0 Gbps", "150 Gbps", "150 Gbps"}, kSeen, "S:ucx8062"},
    PresetRow{"iommu.enabled", {"false", "false", "false", "false"}, kDocumented, "-"},
    PresetRow{"iommu.page", {"4 KiB", "4 KiB", "2 MiB", "2 MiB"}, kSeen, "S:pb"},
    PresetRow{"iommu.iotlb_entries", {"64", "64", "64", "64"}, kSeen, "S:pb"},
    PresetRow{"iommu.parallel_walks", {"5", "5", "6", "8"}, kDerived, "D"},
    PresetRow{"iommu.miss", {"260 ns", "260 ns", "260 ns", "260 ns"}, kSeen, "S:pb"},
    PresetRow{"iommu.ats", {"false", "false", "false", "false"}, kEstimate, "E"},
    PresetRow{"iommu.atc_entries", {"0", "0", "1024", "2048"}, kEstimate, "E"},
    PresetRow{"iommu.ats_rtt", {"700 ns", "700 ns", "700 ns", "700 ns"}, kEstimate, "E"},
    // queues and their limits
    PresetRow{"nic.sq.depth", {"128", "128", "128", "128"}, kSeen, "S:perft"},
    PresetRow{"nic.rq.depth", {"512", "512", "512", "512"}, kSeen, "S:perft"},
    PresetRow{"nic.cq.depth", {"1024", "1024", "1024", "1024"}, kEstimate, "E"},
    PresetRow{"nic.inline_max", {"64", "220", "220", "220"}, kSeen, "S:cx3"},
    PresetRow{"nic.wqe_push_max", {"256", "256", "256", "256"}, kEstimate, "modelling"},
    PresetRow{"nic.mtu", {"4096", "4096", "4096", "4096"}, kSeen, "S"},
    PresetRow{"nic.rnr_timer", {"12", "12", "12", "12"}, kSeen, "S:daq, S:rvt"},
    // doorbells and work queues; one decode is one cycle of nic.clock: 250, 400, 600 and 800 MHz
    PresetRow{"nic.doorbell_fifo", {"64", "64", "64", "64"}, kEstimate, "modelling"},
    PresetRow{"nic.doorbell_decode", {"4 ns", "2.5 ns", "1.667 ns", "1.25 ns"}, kEstimate, "S:cor (A), E"},
    PresetRow{"nic.doorbell_to_sched", {"150 ns", "70 ns", "60 ns", "50 ns"}, kEstimate, "E"},
    PresetRow{"nic.wqe_fetch_batch", {"4", "8", "8", "8"}, kEstimate, "E"},
    PresetRow{"nic.wqe_cache", {"256", "2048", "4096", "8192"}, kEstimate, "E"},
    PresetRow{"nic.rq_prefetch", {"16", "16", "16", "16"}, kEstimate, "modelling"},
    PresetRow{"nic.sq_in_flight", {"32", "128", "256", "512"}, kEstimate, "S:cor (A), E"},
    PresetRow{"nic.per_qp_rate", {"2 M/s", "6 M/s", "7 M/s", "8 M/s"}, kMemory, "M"},
    PresetRow{"nic.global_rate", {"30 M/s", "150 M/s", "200 M/s", "300 M/s"}, kSeen, "S:dell (B), M"},
    // DMA, transport, port
    PresetRow{"nic.dma_reads_in_flight", {"64", "128", "192", "384"}, kEstimate, "E"},
    PresetRow{"nic.dma_writes_in_flight", {"32", "64", "128", "256"}, kEstimate, "S:cor (A), E"},
    PresetRow{"nic.qp_context_entries", {"256", "400", "1024", "2048"}, kSeen, "S:star (B), E"},
    PresetRow{"nic.qp_context_bytes", {"256 B", "256 B", "256 B", "256 B"}, kEstimate, "E"},
    PresetRow{"nic.qp_context_fetches", {"8", "16", "16", "32"}, kEstimate, "E"},
    PresetRow{"nic.mtt_entries", {"1024", "2048", "4096", "8192"}, kEstimate, "E"},
    PresetRow{"nic.mtt_fetches", {"8", "16", "16", "32"}, kEstimate, "modelling"},
    PresetRow{"nic.ack_every", {"4", "8", "8", "16"}, kEstimate, "E"},
    PresetRow{"nic.psn_window", {"65536", "65536", "65536", "65536"}, kEstimate, "modelling"},
    PresetRow{"nic.read_response_sched", {"300 ns", "325 ns", "300 ns", "280 ns"}, kDerived, "D (B), E"},
    PresetRow{"nic.tx_fifo", {"32 KiB", "64 KiB", "128 KiB", "256 KiB"}, kEstimate, "S:cor (A), E"},
    PresetRow{"nic.rx_buffer", {"128 KiB", "256 KiB", "512 KiB", "1 MiB"}, kEstimate, "S:cor (A), E"},
    PresetRow{"nic.tx_pipe", {"250 ns", "35 ns", "35 ns", "35 ns"}, kEstimate, "E"},
    PresetRow{"nic.rx_pipe", {"400 ns", "120 ns", "100 ns", "90 ns"}, kEstimate, "E"},
    PresetRow{"nic.forward_grain", {"512 B", "512 B", "512 B", "512 B"}, kEstimate, "modelling"},
    // control path
    PresetRow{"nic.command_latency", {"2 us", "2 us", "2 us", "2 us"}, kEstimate, "modelling"},
    PresetRow{"nic.registration", {"1 us", "1 us", "1 us", "1 us"}, kEstimate, "modelling"},
    // the wire
    PresetRow{"link.rate", {"100 Gbps", "100 Gbps", "200 Gbps", "400 Gbps"}, kDocumented, "-"},
    PresetRow{"link.length", {"2 m", "2 m", "2 m", "2 m"}, kSeen, "S:beo"},
    PresetRow{"link.delay_per_metre", {"5 ns", "5 ns", "5 ns", "5 ns"}, kSeen, "S:beo"},
    PresetRow{"link.mac_tx", {"30 ns", "30 ns", "25 ns", "25 ns"}, kSeen, "S:pg"},
    PresetRow{"link.mac_rx", {"62 ns", "62 ns", "50 ns", "50 ns"}, kSeen, "S:pg"},
    PresetRow{"link.fec", {"0 ns", "0 ns", "100 ns", "120 ns"}, kSeen, "S:beo"},
    PresetRow{"link.switch_hops", {"0", "0", "0", "0"}, kDocumented, "-"},
    PresetRow{"link.switch_hop", {"425 ns", "425 ns", "425 ns", "425 ns"}, kMemory, "M"},
};

constexpr std::array<std::string_view, 37> kSame{
    "cpu.poll_empty",
    "cpu.payload_cached",
    "pcie.switch_hops",
    "pcie.switch_hop",
    "root.remote_socket",
    "pcie.bar_posted_headers",
    "pcie.update_fc",
    "nic.max_sge",
    "nic.cq_update_every",
    "nic.read_local_invalidate",
    "nic.dma_reserved_reads",
    "nic.mtt_page",
    "nic.mtt_bytes",
    "nic.srq.depth",
    "nic.srq.max_depth",
    "nic.ack_point",
    "nic.timeout_code",
    "nic.retry_count",
    "nic.overflow",
    "nic.rnr_retry",
    "nic.read_buffer",
    "nic.key_update",
    "nic.pause",
    "nic.event_latency",
    "nic.registration_per_page",
    "nic.cq.arm_immediate",
    "nic.cq.arm_stale",
    "nic.cq.errors_arm_on_failed_wr",
    "nic.cq.can_moderate",
    "nic.cq.can_resize",
    "nic.connect_timeout",
    "nic.disconnect_timeout",
    "adapter.create_inline",
    "adapter.flush_on_peer_disconnect",
    "adapter.defer_policy",
    "adapter.defer_max",
    "adapter.reclaim",
};

void apply(std::string_view name, std::vector<Param> params) {
    const auto column = std::find(kPresetNames.begin(), kPresetNames.end(), name);
    if (column == kPresetNames.end()) {
        throw std::logic_error("no such preset: " + std::string(name));
    }
    for (const PresetRow& row : kRows) {
        const auto param =
            std::find_if(params.begin(), params.end(), [&](const Param& p) { return p.path() == row.path; });
        if (param == params.end()) {
            continue;  // the link's, or the host's
        }
        const auto value = row.values.at(static_cast<std::size_t>(column - kPresetNames.begin()));
        if (const auto error = param->set(value, Origin::preset)) {
            throw std::logic_error("preset " + std::string(name) + ": " + param->path() + ": " + *error);
        }
    }
}

}  // namespace

std::span<const PresetRow> preset_rows() {
    return kRows;
}

std::span<const std::string_view> same_in_all_presets() {
    return kSame;
}

void apply_preset(std::string_view name, NodeParams& node) {
    apply(name, params_of(node, ""));
}

void apply_preset(std::string_view name, LinkParams& link) {
    apply(name, params_of(link, "link"));
}

}  // namespace ndsim
