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

using Texts = std::array<std::string_view, kPresetNames.size()>;

constexpr Texts all(std::string_view source) {
    return {source, source, source, source};
}

// The rate was measured; that a cap of the host causes it is our assumption.
constexpr std::string_view kAssumed = "assumed, S:ucx8062";

// timing.md section 7, row by row, with the source of each value; "modelling" marks the rows that modelling.md adds. A
// source stands behind its own value only: a value scaled from it for another preset is an estimate.
constexpr std::array kRows{
    // what host software costs
    PresetRow{"cpu.wqe_build", {"50 ns", "50 ns", "45 ns", "40 ns"}, all("E")},
    PresetRow{"cpu.mmio_wc64", {"75 ns", "75 ns", "70 ns", "65 ns"}, all("E")},
    PresetRow{"cpu.mmio_uc", {"100 ns", "100 ns", "90 ns", "80 ns"}, {"S:iforum", "S:iforum", "E", "E"}},
    PresetRow{"cpu.store_buffer", {"42", "56", "72", "112"}, all("M")},
    PresetRow{"cpu.poll_detect", {"60 ns", "60 ns", "55 ns", "50 ns"}, all("E")},
    PresetRow{"cpu.poll_cq", {"60 ns", "60 ns", "55 ns", "50 ns"}, {"M", "M", "E", "E"}},
    PresetRow{"cpu.msix_to_isr", {"1200 ns", "1200 ns", "1100 ns", "1000 ns"}, all("E")},
    PresetRow{"cpu.event_wakeup", {"4 us", "4 us", "3500 ns", "3 us"}, all("E")},
    // PCIe
    PresetRow{"pcie.generation", {"3", "3", "4", "5"}, all("-")},
    PresetRow{"pcie.width", {"16", "16", "16", "16"}, all("-")},
    PresetRow{"pcie.dll_overhead", {"5 %", "5 %", "5 %", "5 %"}, all("D")},
    PresetRow{"pcie.one_way", {"200 ns", "135 ns", "125 ns", "120 ns"}, {"E", "D", "E", "E"}},
    PresetRow{"pcie.mps", {"256 B", "256 B", "256 B", "256 B"}, all("S:cor")},
    PresetRow{"pcie.mrrs", {"512 B", "512 B", "512 B", "512 B"}, all("M")},
    PresetRow{"pcie.rcb", {"64 B", "64 B", "64 B", "64 B"}, all("M")},
    PresetRow{"pcie.write_header", {"24 B", "24 B", "24 B", "24 B"}, all("S:pm")},
    PresetRow{"pcie.read_header", {"24 B", "24 B", "24 B", "24 B"}, all("S:pm")},
    PresetRow{"pcie.completion_header", {"20 B", "20 B", "20 B", "20 B"}, all("S:pm")},
    PresetRow{"pcie.tags", {"256", "256", "256", "768"}, {"S:cor", "S:syn", "S:syn", "S:syn"}},
    PresetRow{"pcie.posted_headers", {"128", "128", "128", "256"}, all("E")},
    PresetRow{"pcie.posted_data", {"2048", "2048", "2048", "4096"}, all("E")},
    PresetRow{"pcie.nonposted_headers", {"128", "128", "128", "256"}, all("E")},
    // what nic.global_rate needs in the round trip of a credit, which is 430, 303, 282 and 271 ns
    PresetRow{"pcie.bar_posted_headers", {"32", "64", "64", "128"}, all("E")},
    PresetRow{"pcie.relaxed_ordering", {"false", "false", "true", "true"}, all("E")},
    PresetRow{"pcie.arbiter_grain", {"512 B", "512 B", "512 B", "512 B"}, all("modelling")},
    PresetRow{"pcie.switch_hop", {"115 ns", "115 ns", "115 ns", "115 ns"}, all("S:hp")},
    // the root complex and memory
    PresetRow{"root.llc_read", {"120 ns", "120 ns", "120 ns", "130 ns"}, {"D", "D", "D", "E"}},
    PresetRow{"root.write_visible", {"80 ns", "80 ns", "80 ns", "80 ns"}, all("D")},
    PresetRow{"root.dram_extra", {"80 ns", "80 ns", "80 ns", "90 ns"}, {"S:pb", "S:pb", "S:pb", "E"}},
    PresetRow{"root.llc_size", {"22 MiB", "22 MiB", "24 MiB", "30 MiB"}, all("modelling")},
    PresetRow{"root.llc_ways", {"11", "11", "12", "15"}, all("M")},
    PresetRow{"root.ddio", {"true", "true", "true", "true"}, all("M")},
    PresetRow{"root.ddio_ways", {"2", "2", "2", "2"}, all("M")},
    PresetRow{"root.numa_extra", {"100 ns", "100 ns", "100 ns", "120 ns"}, {"M", "M", "M", "E"}},
    PresetRow{"root.strict_write_cap", {"0 Gbps", "0 Gbps", "150 Gbps", "150 Gbps"}, {"E", "E", kAssumed, kAssumed}},
    PresetRow{"iommu.enabled", {"false", "false", "false", "false"}, all("-")},
    PresetRow{"iommu.page", {"4 KiB", "4 KiB", "2 MiB", "2 MiB"}, {"S:pb", "S:pb", "E", "E"}},
    PresetRow{"iommu.iotlb_entries", {"64", "64", "64", "64"}, all("S:pb")},
    PresetRow{"iommu.parallel_walks", {"5", "5", "6", "8"}, {"D", "D", "E", "E"}},
    PresetRow{"iommu.miss", {"260 ns", "260 ns", "260 ns", "260 ns"}, all("S:pb")},
    PresetRow{"iommu.write_iotlb_entries", {"0", "0", "0", "0"}, all("D")},
    PresetRow{"iommu.write_miss", {"260 ns", "260 ns", "260 ns", "260 ns"}, all("D")},
    PresetRow{"iommu.ats", {"false", "false", "false", "false"}, all("E")},
    PresetRow{"iommu.atc_entries", {"0", "0", "1024", "2048"}, all("E")},
    PresetRow{"iommu.ats_rtt", {"700 ns", "700 ns", "700 ns", "700 ns"}, all("E")},
    // queues and their limits
    PresetRow{"nic.sq.depth", {"128", "128", "128", "128"}, all("S:perft")},
    PresetRow{"nic.rq.depth", {"512", "512", "512", "512"}, all("S:perft")},
    PresetRow{"nic.cq.depth", {"1024", "1024", "1024", "1024"}, all("E")},
    PresetRow{"nic.inline_max", {"64", "220", "220", "220"}, {"E", "S:cx3", "S:cx3", "S:cx3"}},
    PresetRow{"nic.max_sge", {"30", "30", "30", "30"}, all("M")},
    PresetRow{"nic.wqe_push_max", {"256", "256", "256", "256"}, all("modelling")},
    PresetRow{"nic.mtu", {"4096", "4096", "4096", "4096"}, all("S")},
    PresetRow{"nic.rnr_timer", {"12", "12", "12", "12"}, all("S:daq, S:rvt")},
    // doorbells and work queues; one decode is one cycle of nic.clock: 250, 400, 600 and 800 MHz
    PresetRow{"nic.doorbell_fifo", {"64", "64", "64", "64"}, all("modelling")},
    PresetRow{"nic.doorbell_decode", {"4 ns", "2.5 ns", "1.667 ns", "1.25 ns"}, {"S:cor", "E", "E", "E"}},
    PresetRow{"nic.doorbell_to_sched", {"150 ns", "70 ns", "60 ns", "50 ns"}, all("E")},
    PresetRow{"nic.wqe_fetch_batch", {"4", "8", "8", "8"}, all("E")},
    PresetRow{"nic.wqe_cache", {"256", "2048", "4096", "8192"}, all("E")},
    PresetRow{"nic.rq_prefetch", {"16", "16", "16", "16"}, all("modelling")},
    PresetRow{"nic.rq_fetch_batch", {"4", "8", "8", "8"}, all("modelling")},
    PresetRow{"nic.sq_in_flight", {"32", "128", "256", "512"}, {"S:cor", "E", "E", "E"}},
    PresetRow{"nic.per_qp_rate", {"2 M/s", "6 M/s", "7 M/s", "8 M/s"}, {"E", "M", "E", "M"}},
    PresetRow{"nic.global_rate", {"30 M/s", "150 M/s", "200 M/s", "300 M/s"}, {"E", "S:dell", "M", "M"}},
    // DMA, transport, port
    PresetRow{"nic.dma_reads_in_flight", {"64", "128", "192", "384"}, all("E")},
    PresetRow{"nic.dma_writes_in_flight", {"32", "64", "128", "256"}, {"S:cor", "E", "E", "E"}},
    PresetRow{"nic.qp_context_entries", {"256", "400", "1024", "2048"}, {"E", "S:star", "E", "E"}},
    PresetRow{"nic.qp_context_bytes", {"256 B", "256 B", "256 B", "256 B"}, all("E")},
    PresetRow{"nic.qp_context_fetches", {"8", "16", "16", "32"}, all("E")},
    PresetRow{"nic.mtt_entries", {"1024", "2048", "4096", "8192"}, all("E")},
    PresetRow{"nic.mtt_fetches", {"8", "16", "16", "32"}, all("modelling")},
    PresetRow{"nic.ack_every", {"4", "8", "8", "16"}, all("E")},
    PresetRow{"nic.rq_park", {"0", "0", "0", "0"}, all("modelling")},
    PresetRow{"nic.retransmit_buffer", {"0 B", "0 B", "0 B", "0 B"}, all("modelling")},
    PresetRow{"nic.psn_window", {"65536", "65536", "65536", "65536"}, all("modelling")},
    PresetRow{"nic.timeout_code", {"14", "14", "14", "14"}, all("M")},
    PresetRow{"nic.retry_count", {"7", "7", "7", "7"}, all("M")},
    PresetRow{"nic.read_buffer", {"512 KiB", "512 KiB", "512 KiB", "512 KiB"}, all("modelling")},
    PresetRow{"nic.read_response_sched", {"300 ns", "325 ns", "300 ns", "280 ns"}, {"E", "D", "E", "E"}},
    PresetRow{"nic.read_interval", {"560 ns", "225 ns", "205 ns", "185 ns"}, all("E")},
    PresetRow{"nic.read_gap", {"20 ns", "20 ns", "15 ns", "10 ns"}, all("E")},
    PresetRow{"nic.tx_fifo", {"32 KiB", "64 KiB", "128 KiB", "256 KiB"}, {"S:cor", "E", "E", "E"}},
    PresetRow{"nic.rx_buffer", {"128 KiB", "256 KiB", "512 KiB", "1 MiB"}, {"S:cor", "E", "E", "E"}},
    PresetRow{"nic.pause", {"true", "true", "true", "true"}, all("E")},
    PresetRow{"nic.tx_pipe", {"250 ns", "35 ns", "35 ns", "35 ns"}, all("E")},
    PresetRow{"nic.rx_pipe", {"400 ns", "120 ns", "100 ns", "90 ns"}, all("E")},
    PresetRow{"nic.forward_grain", {"512 B", "4 KiB", "4 KiB", "4 KiB"}, all("E")},
    // control path
    PresetRow{"nic.command_latency", {"2 us", "2 us", "2 us", "2 us"}, all("modelling")},
    PresetRow{"nic.registration", {"1 us", "1 us", "1 us", "1 us"}, all("modelling")},
    // the wire
    PresetRow{"link.rate", {"100 Gbps", "100 Gbps", "200 Gbps", "400 Gbps"}, all("-")},
    PresetRow{"link.length", {"2 m", "2 m", "2 m", "2 m"}, all("E")},
    PresetRow{"link.delay_per_metre", {"5 ns", "5 ns", "5 ns", "5 ns"}, all("S:beo")},
    PresetRow{"link.mac_tx", {"30 ns", "30 ns", "25 ns", "25 ns"}, all("S:pg")},
    PresetRow{"link.mac_rx", {"62 ns", "62 ns", "50 ns", "50 ns"}, all("S:pg")},
    PresetRow{"link.fec", {"0 ns", "0 ns", "100 ns", "120 ns"}, {"E", "E", "S:beo", "S:beo"}},
    PresetRow{"link.switch_hops", {"0", "0", "0", "0"}, all("-")},
    PresetRow{"link.switch_hop", {"425 ns", "425 ns", "425 ns", "425 ns"}, all("M")},
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
            continue;  // a parameter of the link, or of the host
        }
        const auto value = row.values.at(static_cast<std::size_t>(column - kPresetNames.begin()));
        if (const auto error = param->set(value)) {
            throw std::logic_error("preset " + std::string(name) + ": " + param->path() + ": " + *error);
        }
    }
}

}  // namespace

Mark mark_of(std::string_view source) {
    switch (source.front()) {
        case 'S':
            return Mark::seen;
        case 'M':
            return Mark::memory;
        case 'D':
            return Mark::derived;
        case '-':
            return Mark::documented;
        default:
            return Mark::estimate;  // E, modelling, assumed
    }
}

const PresetRow* preset_row(std::string_view path) {
    const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const PresetRow& each) { return each.path == path; });
    return row == kRows.end() ? nullptr : &*row;
}

std::span<const PresetRow> preset_rows() {
    return kRows;
}

void apply_preset(std::string_view name, NodeParams& node) {
    apply(name, params_of(node, ""));
}

void apply_preset(std::string_view name, LinkParams& link) {
    apply(name, params_of(link, "link"));
}

}  // namespace ndsim
