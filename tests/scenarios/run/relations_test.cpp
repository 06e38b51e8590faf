// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::relations_test {

// What must hold between runs, whatever the numbers are.

double rate(const std::string& traffic, const std::vector<std::string>& overrides = {}) {
    return static_cast<double>(run_traffic(traffic, overrides).metric("traffic.t.message_rate"));
}

TEST_CASE("relations: outstanding requests are rate times latency") {
    // A closed loop without think time: Little's law holds to the messages at the window's edges.
    for (const std::string operation : {"send", "write", "read"}) {
        for (const std::string size : {"64 B", "4 KiB", "64 KiB"}) {
            const ChildResult run = run_traffic(
                fmt::format(R"("operation": "{}", "size": "{}", "window": 8, "count": 2000)", operation, size));
            const double outstanding = static_cast<double>(run.metric("traffic.t.message_rate")) *
                                       static_cast<double>(run.metric("traffic.t.latency.mean")) * 1e-12;
            INFO(operation << " of " << size);
            CHECK(outstanding == Catch::Approx(8).epsilon(0.02));
        }
    }
}

// From post to completion of messages one at a time.
std::int64_t latency_at(std::uint32_t mtu, const std::string& traffic, std::vector<std::string> overrides) {
    overrides.push_back(fmt::format("nic.mtu={}", mtu));
    return static_cast<std::int64_t>(
        run_traffic(R"("window": 1, "count": 40, )" + traffic, overrides).metric("traffic.t.latency.min"));
}

// In smaller packets a message has more headers, and the wire, the slowest stage, takes them one after the other.
// Besides that at most 6 % are allowed; there is nothing but the picoseconds up to which each packet's time is rounded.
TEST_CASE("relations: the MTU does not change a message's latency but by its headers, for presets B to D") {
    struct {
        std::string preset;
        std::int64_t per_byte;  // ps, at 100, 200 and 400 Gbps
    } const presets[] = {{"B", 80}, {"C", 40}, {"D", 20}};
    for (const auto& each : presets) {
        const std::string& preset = each.preset;
        for (const std::string operation : {"send", "write"}) {
            for (const std::int64_t kilobytes : {1, 4, 16, 32}) {
                const auto latency = [&preset, &operation, kilobytes](std::uint32_t mtu) {
                    return latency_at(mtu, fmt::format(R"("operation": "{}", "size": "{} KiB")", operation, kilobytes),
                                      {"hosts.A.preset=" + preset, "hosts.B.preset=" + preset});
                };
                const std::int64_t largest = latency(4096);
                for (const std::uint32_t mtu : {256U, 512U, 1024U, 2048U}) {
                    INFO(preset << ", " << operation << " of " << kilobytes << " KiB at MTU " << mtu);
                    const auto packets = [kilobytes](std::int64_t of) { return (kilobytes * 1024 + of - 1) / of; };
                    const std::int64_t headers = (packets(mtu) - packets(4096)) * 82 * each.per_byte;
                    const std::int64_t apart = std::abs(latency(mtu) - headers - largest);
                    CHECK(apart <= largest * 6 / 100);
                    CHECK(apart <= packets(mtu));
                }
            }
        }
    }
}

// 26 bytes of headers are so few that even 128 packets instead of 8 cost less: 120 x 26 x 80 ps are 0.25 of 4.7 us.
TEST_CASE("relations: on InfiniBand the MTU changes a message's latency by at most 6 %, headers included") {
    for (const std::int64_t kilobytes : {1, 4, 32}) {
        const auto latency = [kilobytes](std::uint32_t mtu) {
            return latency_at(mtu, fmt::format(R"("size": "{} KiB")", kilobytes), {"link.framing=infiniband"});
        };
        const std::int64_t largest = latency(4096);
        for (const std::uint32_t mtu : {256U, 512U, 1024U, 2048U}) {
            INFO(kilobytes << " KiB at MTU " << mtu);
            CHECK(std::abs(latency(mtu) - largest) <= largest * 6 / 100);
        }
    }
}

// Messages per second of all generators, each on a core of its own.
double rate_of_all(std::uint32_t generators, std::uint32_t queue_pairs, const std::string& traffic) {
    std::string all;
    for (std::uint32_t i = 0; i < generators; ++i) {
        all += fmt::format(
            R"({}"t{}": {{"from": "A.p{}", "to": "B.p{}", "window": 64, "choose": "round_robin", "queue_pairs": {}, {}}})",
            i == 0 ? "" : ", ", i, i, i, queue_pairs, traffic);
    }
    const ChildResult run = finish_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {)" + all + "}}",
                                        {"nic.per_qp_rate=500 k/s", "nic.global_rate=6 M/s"});
    double sum = 0;
    for (std::uint32_t i = 0; i < generators; ++i) {
        sum += static_cast<double>(run.metric(fmt::format("traffic.t{}.message_rate", i)));
    }
    return sum;
}

// A queue pair starts 500 000 messages per second, the NIC 6 000 000; four cores post more than that. So the rate grows
// with the queue pairs until the NIC's is reached, or, with 4 KiB, the line's: 98.04 % of 12.5 GB/s are 2.99 million.
TEST_CASE("relations: twice the queue pairs are not slower, as long as their contexts fit") {
    for (const std::string operation : {"write", "read"}) {
        for (const std::string size : {"64 B", "4 KiB"}) {
            const double limit = size == "64 B" ? 6e6 : 2.99e6;
            double before = 0;
            for (const std::uint32_t queue_pairs : {1U, 2U, 4U, 8U, 16U, 32U}) {
                const double now = rate_of_all(
                    4, queue_pairs, fmt::format(R"("operation": "{}", "size": "{}", "count": 600)", operation, size));
                INFO(4 * queue_pairs << " queue pairs, " << operation << " of " << size);
                CHECK(now >= 0.99 * before);
                CHECK(now == Catch::Approx(std::min(limit, 4 * queue_pairs * 5e5)).epsilon(0.03));
                before = now;
            }
        }
    }
}

TEST_CASE("relations: twice the queue pairs are not slower for Sends, each from a core to a core") {
    double before = 0;
    for (const std::uint32_t queue_pairs : {1U, 2U, 4U, 8U, 16U, 32U}) {
        const double now = rate_of_all(queue_pairs, 1, R"("size": "64 B", "count": 600)");
        INFO(queue_pairs << " queue pairs");
        CHECK(now >= 0.99 * before);
        CHECK(now == Catch::Approx(std::min(6e6, queue_pairs * 5e5)).epsilon(0.03));
        before = now;
    }
}

TEST_CASE("relations: beyond the context cache contexts come at the rate of the fetches") {
    // 32 queue pairs in turn, 16 contexts, one fetch at a time: 24 B up, 256 + 20 B down, twice 135 ns, and 200 ns in
    // DRAM are 490 ns. Messages that wait for the same context share its fetch.
    const ChildResult run = run_traffic(
        R"("operation": "write", "size": "64 B", "inline": true, "window": 64, "count": 3000, "queue_pairs": 32,
           "choose": "round_robin")",
        {"hosts.A.nic.qp_context_entries=16", "hosts.A.nic.qp_context_fetches=1"});
    const auto time = static_cast<double>(run.metric("run.ended") - run.metric("run.started"));
    CHECK(static_cast<double>(run.metric("A.nic.context.misses")) * 490'000 == Catch::Approx(time).epsilon(0.03));
    CHECK(run.metric("A.nic.context.fetches.full") >= 970'000);  // of a million
}

const std::string kBulk = R"("size": "64 KiB", "count": 60)";
const std::string kSmall = R"("size": "64 B", "count": 800, "window": 64)";
const std::string kReads = R"("operation": "read", "size": "8 KiB", "count": 300)";
const std::string kManyQueuePairs =
    R"("operation": "write", "size": "64 B", "count": 600, "window": 32, "queue_pairs": 32)";

struct More {
    const char* parameter;
    const char* few;
    const char* many;
    std::vector<std::string> works;
    std::vector<std::string> context;  // in which it matters
};

double rate_with(const More& more, const std::string& work, const char* value) {
    std::vector<std::string> overrides = more.context;
    overrides.push_back(fmt::format("{}={}", more.parameter, value));
    return rate(work, overrides);
}

TEST_CASE("relations: more of what is inside the NIC never makes the same work slower") {
    const std::vector<std::string> all{kBulk, kSmall, kReads};
    const std::vector<std::string> far{"pcie.one_way=1 us"};  // credits come back late
    const std::vector<std::string> iommu{"iommu.enabled=true", "iommu.iotlb_entries=4"};
    for (const More& more : std::initializer_list<More>{
             {"pcie.tags", "16", "64", all, {}},
             {"nic.dma_reads_in_flight", "8", "32", all, {}},
             {"nic.dma_writes_in_flight", "2", "8", all, {}},
             {"pcie.posted_headers", "40", "200", all, {}},
             {"pcie.posted_data", "300", "1200", all, {}},
             {"pcie.nonposted_headers", "34", "200", all, {}},
             {"pcie.bar_posted_headers", "4", "32", {kSmall}, far},
             {"cpu.store_buffer", "1", "56", {kSmall}, {"pcie.one_way=1 us", "pcie.bar_posted_headers=4"}},
             {"nic.tx_fifo", "16 KiB", "64 KiB", all, {}},
             {"nic.rx_buffer", "64 KiB", "256 KiB", all, {}},
             {"nic.sq_in_flight", "2", "8", all, {}},
             {"nic.wqe_cache", "16", "64", all, {}},
             {"nic.wqe_fetch_batch", "1", "16", {kSmall, kReads}, {"nic.wqe_push_max=0"}},
             {"nic.rq_prefetch", "1", "16", {kSmall}, {}},
             {"nic.doorbell_fifo", "1", "8", all, {}},
             {"nic.psn_window", "16", "256", all, {}},
             {"nic.read_buffer", "32 KiB", "256 KiB", all, {}},
             {"nic.qp_context_fetches", "1", "8", {kManyQueuePairs}, {"nic.qp_context_entries=8"}},
             {"nic.mtt_fetches", "1", "8", {kBulk, kReads}, {"nic.mtt_entries=4"}},
             {"iommu.parallel_walks", "1", "5", {kBulk, kReads}, iommu}}) {
        for (const std::string& work : more.works) {
            INFO(more.parameter << " for " << work);
            CHECK(rate_with(more, work, more.many) >= 0.99 * rate_with(more, work, more.few));
        }
    }
}

// A reservation takes from the others what it keeps free, so it is free of cost only where slots are not what limits:
// a hundred and more of 512 B cover the time of a read, 0.4 us at 12.5 GB/s, ten times.
TEST_CASE("relations: more reserved reads do not make work slower that does not need all slots") {
    for (const std::string& work : {kBulk, kSmall, kReads}) {
        const More more{"nic.dma_reserved_reads", "0", "8", {}, {}};
        INFO(work);
        CHECK(rate_with(more, work, more.many) >= 0.99 * rate_with(more, work, more.few));
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

}  // namespace ndsim::test::relations_test
