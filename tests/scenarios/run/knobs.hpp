// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tests/support/child.hpp"

// What to turn each parameter of the hardware to, and a scenario in which that should matter.
namespace ndsim::test::knobs {

struct Knob {
    std::string_view path;
    std::string_view value;     // to be compared with what the preset, or the context, says
    std::string_view scenario;  // one of those below
    std::vector<std::string> context;
};

inline std::string two_hosts(const std::string& rest) {
    return R"({"hosts": {"A": {"buffers": {"tx": {"size": "64 KiB"}}}, "B": {"buffers": {"rx": {"size": "64 KiB"}}}}, )" +
           rest + "}";
}
inline std::string traffic(const std::string& rest) {
    return two_hosts(R"("traffic": {"t": {"from": "A", "to": "B", )" + rest + "}}");
}

inline std::string text_of(std::string_view scenario) {
    if (scenario == "stream") {
        return traffic(R"("size": "64 KiB", "count": 40)");
    }
    if (scenario == "messages") {
        return traffic(R"("size": "64 B", "count": 400, "window": 32)");
    }
    if (scenario == "inline") {
        return traffic(R"("size": "64 B", "count": 100, "window": 1, "inline": true)");
    }
    if (scenario == "reads") {
        return traffic(R"("operation": "read", "size": "16 KiB", "count": 60, "window": 16)");
    }
    if (scenario == "queue pairs") {
        return traffic(R"("operation": "write", "size": "64 B", "count": 200, "window": 8, "queue_pairs": 8)");
    }
    if (scenario == "two senders") {
        return R"({"hosts": {"A": {}, "B": {}, "C": {}}, "switches": {"s0": {}},
                   "traffic": {"a": {"from": "A", "to": "C.a", "size": "64 KiB", "count": 20},
                               "b": {"from": "B", "to": "C.b", "size": "64 KiB", "count": 20}}})";
    }
    if (scenario == "misaligned") {
        return two_hosts(R"("programs": {
            "A": [{"sleep": "20 us"}, {"post": "send", "buffer": "tx", "offset": "70 B", "size": "1000 B"},
                  {"poll": "q0.send"}],
            "B": [{"post": "receive", "buffer": "rx"}, {"poll": "q0.receive"}]})");
    }
    if (scenario == "no accept") {
        return two_hosts(R"("programs": {"A": [{"sleep": "10 us"}, {"connect": "q0"}],
                                         "B": [{"listen": "q0"}, {"sleep": "2 s"}]})");
    }
    if (scenario == "no disconnect") {
        return two_hosts(
            R"("programs": {"A": [{"disconnect": "q0"}], "B": [{"sleep": "2 s"}]}, "limits": {"time": "3600 s"})");
    }
    if (scenario == "shared receives") {
        return R"({"hosts": {"A": {"qps": {"q0": {}}},
                             "B": {"buffers": {"rx": {"size": "1 KiB"}}, "cqs": {"c": {}}, "srqs": {"s": {}},
                                   "qps": {"q0": {"srq": "s", "receive_cq": "c"}}}},
                   "programs": {"A": [{"sleep": "1 us"}],
                                "B": [{"post": "srq_receive", "srq": "s", "buffer": "rx", "count": 8}]}})";
    }
    if (scenario == "deferred") {
        return two_hosts(R"("programs": {
            "A": [{"sleep": "20 us"}, {"post": "send", "flags": ["defer"], "count": 8}, {"post": "send"},
                  {"poll": "q0.send", "count": 9}],
            "B": [{"post": "receive", "count": 9}, {"poll": "q0.receive", "count": 9}]})");
    }
    return file_text(NDSIM_SOURCE_DIR "/scenarios/library/" + std::string(scenario) + ".json");
}

inline const std::vector<std::string> kFarAway{"pcie.one_way=2 us"};         // credits come back late
inline const std::vector<std::string> kSmallCache{"root.llc_size=256 KiB"};  // a message is a quarter of it
inline const std::vector<std::string> kIommu{"iommu.enabled=true", "iommu.iotlb_entries=4"};
inline const std::vector<std::string> kWriteIotlb{"iommu.enabled=true", "iommu.write_iotlb_entries=4"};
inline const std::vector<std::string> kAts{"iommu.enabled=true", "iommu.ats=true", "iommu.atc_entries=4"};
inline const std::vector<std::string> kFewTranslations{"nic.mtt_entries=4"};
inline const std::vector<std::string> kFewContexts{"nic.qp_context_entries=2"};
inline const std::vector<std::string> kNotPushed{"nic.wqe_push_max=0"};

inline const std::vector<Knob> kKnobs{
    {"cpu.wqe_build", "500 ns", "messages", {}},
    {"cpu.mmio_wc64", "500 ns", "inline", {}},
    {"cpu.mmio_uc", "500 ns", "messages", {}},
    {"cpu.store_buffer", "1", "messages", {"pcie.one_way=2 us", "pcie.bar_posted_headers=4"}},
    {"cpu.poll_detect", "500 ns", "messages", {}},
    {"cpu.poll_cq", "500 ns", "messages", {}},
    {"cpu.msix_to_isr", "20 us", "interrupt-moderation", {}},
    {"cpu.event_wakeup", "50 us", "interrupt-moderation", {}},
    {"cpu.poll_jitter", "500 ns", "messages", {}},
    {"cpu.repost_jitter", "500 ns", "messages", {}},
    {"cpu.preempt_every", "5 us", "messages", {}},
    {"cpu.preempt_time", "5 us", "messages", {"cpu.preempt_every=5 us"}},
    {"root.llc_read", "1 us", "messages", {}},
    {"root.write_visible", "1 us", "messages", {}},
    {"root.dram_extra", "1 us", "messages", {"root.llc_size=0 B"}},
    {"root.llc_size", "0 B", "messages", {}},
    {"root.llc_ways", "2", "stream", kSmallCache},
    {"root.ddio_ways", "0", "stream", kSmallCache},
    {"root.numa_extra", "2 us", "messages", {"root.remote_socket=true"}},
    {"root.strict_write_cap", "10 Gbps", "stream", {}},
    {"iommu.page", "2 MiB", "stream", kIommu},
    {"iommu.iotlb_entries", "64", "stream", kIommu},
    {"iommu.parallel_walks", "1", "stream", kIommu},
    {"iommu.miss", "5 us", "stream", kIommu},
    {"iommu.write_iotlb_entries", "1", "stream", kIommu},
    {"iommu.write_miss", "5 us", "stream", kWriteIotlb},
    {"iommu.atc_entries", "1024", "stream", kAts},
    {"iommu.ats_rtt", "5 us", "stream", kAts},
    {"pcie.generation", "5", "stream", {}},
    {"pcie.width", "4", "stream", {}},
    {"pcie.dll_overhead", "40 %", "stream", {}},
    {"pcie.one_way", "1 us", "messages", {}},
    {"pcie.switch_hops", "4", "messages", {}},
    {"pcie.switch_hop", "1 us", "messages", {"pcie.switch_hops=1"}},
    {"pcie.mps", "128 B", "stream", {}},
    {"pcie.mrrs", "128 B", "stream", {}},
    {"pcie.rcb", "128 B", "misaligned", {}},
    {"pcie.write_header", "64 B", "stream", {}},
    {"pcie.read_header", "64 B", "stream", {}},
    {"pcie.completion_header", "64 B", "stream", {}},
    {"pcie.tags", "4", "stream", {}},
    {"pcie.posted_headers", "34", "stream", kFarAway},
    {"pcie.posted_data", "272", "stream", kFarAway},
    {"pcie.nonposted_headers", "34", "stream", kFarAway},
    {"pcie.bar_posted_headers", "4", "messages", kFarAway},
    {"pcie.update_fc", "50 us", "stream", {}},
    {"pcie.arbiter_grain", "4 KiB", "stream", {}},
    {"nic.sq.depth", "2", "messages", {}},
    {"nic.rq.depth", "2", "messages", {}},
    {"nic.cq.depth", "8", "messages", {}},
    {"nic.srq.depth", "4", "shared receives", {}},
    {"nic.max_sge", "1", "messages", {}},                                             // smaller receive WQEs
    {"nic.inline_max", "150", "inline", {"nic.sq.depth=5", "traffic.t.size=150 B"}},  // a smaller ring for send WQEs
    {"nic.cq_update_every", "1", "messages", {}},
    {"nic.cqe_compression", "4", "messages", {}},
    {"nic.cqe_compression_time", "5 us", "messages", {"nic.cqe_compression=8"}},
    {"nic.rnr_timer", "14", "rnr-recovery", {}},
    {"nic.wqe_push_max", "0", "inline", {}},
    {"nic.mtu", "1024", "stream", {}},
    {"nic.doorbell_fifo", "1", "messages", {"nic.doorbell_decode=1 us"}},
    {"nic.doorbell_decode", "1 us", "messages", {}},
    {"nic.doorbell_to_sched", "1 us", "messages", {}},
    {"nic.doorbell_recovery",
     "50 us",
     "queue pairs",
     {"nic.doorbell_policy=drop_recover", "nic.doorbell_fifo=1", "nic.doorbell_decode=1 us"}},
    {"nic.wqe_fetch_batch", "1", "messages", kNotPushed},
    {"nic.wqe_cache", "16", "stream", {"nic.wqe_push_max=0", "nic.wqe_fetch_batch=32", "traffic.t.window=40"}},
    {"nic.rq_prefetch", "1", "messages", {}},
    {"nic.rq_fetch_batch", "1", "messages", {}},
    {"nic.rq_park", "4", "messages", {"nic.rq_prefetch=1"}},
    {"nic.sq_in_flight", "1", "messages", {}},
    {"nic.per_qp_rate", "100 k/s", "messages", {}},
    {"nic.global_rate", "100 k/s", "messages", {}},
    {"nic.dma_reads_in_flight", "4", "stream", {}},
    {"nic.dma_writes_in_flight", "1", "messages", {}},
    {"nic.dma_reserved_reads", "0", "stream", {"nic.dma_reads_in_flight=8"}},
    {"nic.qp_context_entries", "2", "queue pairs", {}},
    {"nic.qp_context_bytes", "4 KiB", "queue pairs", kFewContexts},
    {"nic.qp_context_fetches", "1", "queue pairs", kFewContexts},
    {"nic.mtt_entries", "4", "stream", {}},
    {"nic.mtt_page", "64 KiB", "stream", kFewTranslations},
    {"nic.mtt_bytes", "4 KiB", "stream", kFewTranslations},
    {"nic.mtt_fetches", "1", "stream", kFewTranslations},
    {"nic.ack_every", "1", "stream", {}},
    {"nic.psn_window", "4", "stream", {}},
    {"nic.timeout_code", "12", "lost-packet", {}},
    {"nic.retry_count", "0", "lost-packet", {}},
    {"nic.retransmit_buffer", "64 KiB", "lost-packet", {}},
    {"nic.rnr_retry", "0", "rnr-recovery", {}},
    {"nic.read_buffer", "16 KiB", "reads", {}},
    {"nic.read_response_sched", "5 us", "reads", {}},
    {"nic.read_interval", "5 us", "reads", {}},
    {"nic.read_gap", "5 us", "reads", {}},
    {"nic.key_update", "20 us", "fast-register", {}},
    {"nic.tx_fifo", "8 KiB", "stream", {}},
    {"nic.rx_buffer", "64 KiB", "stream", {"hosts.B.pcie.width=4"}},
    {"nic.tx_pipe", "1 us", "messages", {}},
    {"nic.rx_pipe", "1 us", "messages", {}},
    {"nic.forward_grain", "512 B", "stream", {}},
    {"nic.command_latency", "20 us", "messages", {}},
    {"nic.registration", "20 us", "messages", {}},
    {"nic.registration_per_page", "1 us", "messages", {}},
    {"nic.event_latency", "20 us", "messages", {}},
    {"nic.connect_latency", "20 us", "connection-steps", {}},
    {"nic.connect_timeout", "100 us", "no accept", {}},
    {"nic.disconnect_timeout", "100 us", "no disconnect", {}},
    {"adapter.defer_max", "2", "deferred", {"adapter.defer_policy=max_n"}},
    {"switch.latency", "5 us", "two senders", {}},
    {"switch.buffer", "32 KiB", "two senders", {}},
    {"switch.port_buffer", "32 KiB", "two senders", {}},
    {"link.rate", "25 Gbps", "stream", {}},
    {"link.framing", "infiniband", "stream", {}},
    {"link.length", "100 m", "messages", {}},
    {"link.delay_per_metre", "500 ns", "messages", {}},
    {"link.mac_tx", "1 us", "messages", {}},
    {"link.mac_rx", "1 us", "messages", {}},
    {"link.fec", "1 us", "messages", {}},
    {"link.switch_hops", "4", "messages", {}},
    {"link.switch_hop", "1 us", "messages", {"link.switch_hops=1"}},
};

// What no scenario can show, and the test that turns it.
struct Elsewhere {
    std::string_view path;
    std::string_view file;
    std::string_view test;
};
inline const std::vector<Elsewhere> kElsewhere{
    {"nic.deregistration", "tests/ndapi/ndk/ndk_close_test.cpp",
     "close: an MR's initialisation that is under way ends first, and the NIC forgets the key"},
    // only C++ programs poll in vain
    {"cpu.poll_empty", "tests/scenarios/run/knobs_test.cpp", "knobs: what an empty poll costs shows in a program"},
    // a limit that the loader, or the call that creates a queue, holds depths against
    {"nic.srq.max_depth", "tests/scenarios/format/srq_test.cpp", "srq: what it cannot be"},
    {"adapter.max_initiator_depth", "tests/ndapi/ndspi/nd2_limits_test.cpp",
     "nd2: an adapter may have a smaller send queue than receive queue"},
};

}  // namespace ndsim::test::knobs
