// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/scenarios/engine/child.hpp"

using namespace ndsim;
using namespace ndsim::test;

// What must hold between runs, whatever the numbers are.

namespace {

double rate(const std::string& traffic, const std::vector<std::string>& overrides = {}) {
    return static_cast<double>(run_traffic(traffic, overrides).metric("traffic.t.message_rate"));
}

}  // namespace

TEST_CASE("relations: outstanding requests are rate times latency") {
    // A closed loop without think time: Little's law holds to the messages at the window's edges.
    for (const std::string operation : {"send", "write", "read"}) {
        for (const std::string size : {"64 B", "4 KiB", "64 KiB"}) {
            const ChildResult run = run_traffic(
                fmt::format(R"("operation": "{}", "size": "{}", "window": 8, "count": 2000)", operation, size));
            const double outstanding = static_cast<double>(run.metric("traffic.t.message_rate")) *
                                       static_cast<double>(run.metric("traffic.t.latency.mean")) * 1e-12;
            INFO(operation << " of " << size);
            CHECK(outstanding == Approx(8).epsilon(0.02));
        }
    }
}

TEST_CASE("relations: the MTU does not change the latency of a message of constant size by more than 6 %") {
    for (const std::string size : {"4 KiB", "16 KiB"}) {
        const auto latency = [&](const std::string& mtu) {
            return static_cast<double>(
                run_traffic(fmt::format(R"("size": "{}", "window": 1, "count": 50)", size), {"nic.mtu=" + mtu})
                    .metric("traffic.t.delivery.p50"));
        };
        const double largest = latency("4096");
        CHECK(latency("2048") == Approx(largest).epsilon(0.06));
        CHECK(latency("1024") == Approx(largest).epsilon(0.06));
    }
}

TEST_CASE("relations: twice the queue pairs are not slower, as long as their contexts fit") {
    double before = 0;
    for (const int queue_pairs : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
        const double now = rate(fmt::format(
            R"("operation": "write", "size": "64 B", "inline": true, "window": 256, "count": 6000, "queue_pairs": {})",
            queue_pairs));
        INFO(queue_pairs << " queue pairs");
        CHECK(now >= 0.99 * before);
        before = now;
    }
}

TEST_CASE("relations: beyond the context cache contexts come at the rate of the fetches") {
    // 32 queue pairs in turn, 16 contexts, one fetch at a time: 24 B up, 256 + 20 B down, twice 135 ns, and 200 ns in
    // DRAM are 490 ns. Messages that wait for the same context share its fetch.
    const ChildResult run = run_traffic(
        R"("operation": "write", "size": "64 B", "inline": true, "window": 64, "count": 3000, "queue_pairs": 32)",
        {"hosts.A.nic.qp_context_entries=16", "hosts.A.nic.qp_context_fetches=1"});
    const auto time = static_cast<double>(run.metric("run.ended") - run.metric("run.started"));
    CHECK(static_cast<double>(run.metric("A.nic.context.misses")) * 490'000 == Approx(time).epsilon(0.03));
    CHECK(run.metric("A.nic.context.fetches.full") >= 970'000);  // of a million
}

TEST_CASE("relations: more of what is inside the NIC never makes the same work slower") {
    struct More {
        const char* parameter;
        const char* few;
        const char* many;
    };
    const std::vector<std::string> works{R"("size": "64 KiB", "count": 60)",
                                         R"("size": "64 B", "count": 2000, "window": 64)",
                                         R"("operation": "read", "size": "8 KiB", "count": 300)"};
    for (const More& more : std::initializer_list<More>{{"pcie.tags", "16", "64"},
                                                        {"nic.dma_reads_in_flight", "8", "32"},
                                                        {"nic.dma_writes_in_flight", "2", "8"},
                                                        {"pcie.posted_headers", "40", "200"},
                                                        {"pcie.posted_data", "300", "1200"},
                                                        {"pcie.nonposted_headers", "34", "200"},
                                                        {"nic.tx_fifo", "16 KiB", "64 KiB"},
                                                        {"nic.rx_buffer", "64 KiB", "256 KiB"},
                                                        {"nic.sq_in_flight", "2", "8"},
                                                        {"nic.wqe_cache", "16", "64"},
                                                        {"nic.doorbell_fifo", "1", "8"},
                                                        {"nic.psn_window", "16", "256"},
                                                        {"nic.read_buffer", "32 KiB", "256 KiB"}}) {
        for (const std::string& work : works) {
            INFO(more.parameter << " for " << work);
            CHECK(rate(work, {fmt::format("{}={}", more.parameter, more.many)}) >=
                  0.99 * rate(work, {fmt::format("{}={}", more.parameter, more.few)}));
        }
    }
}

TEST_CASE("relations: a receiver without receives costs one RNR time each time, not for each message") {
    const auto run = [](const char* receives) {
        return static_cast<double>(
            run_file("scenarios/validation/slow-consumer.json",
                     {"hosts.B.nic.rnr_timer=14", fmt::format("programs.B[0].count={}", receives)})
                .metric("programs.A.all.max"));
    };
    // 1216 of 1280 messages are timed; of 64 batches at least 60 end with an underrun of 1.28 ms, none costs two.
    const double lost = run("20") - run("128");
    CHECK(lost >= 58 * 1.28e9);
    CHECK(lost <= 66 * 1.28e9);
}
