// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::fairness_test {

double rate_of_writes(const std::string& size, int window) {
    const ChildResult run =
        run_traffic(fmt::format(R"("operation": "write", "size": "{}", "count": 2000, "window": {})", size, window));
    return static_cast<double>(run.metric("traffic.t.message_rate"));
}

TEST_CASE("fairness: a larger window is not slower, whatever is pushed or fetched") {
    for (const std::string size : {"64 B", "4 KiB"}) {
        double best = 0;
        for (const int window : {1, 2, 4, 6, 7, 8, 9, 10, 12, 16, 32, 64}) {
            INFO(size << ", window " << window);
            const double rate = rate_of_writes(size, window);
            CHECK(rate >= 0.99 * best);
            best = std::max(best, rate);
        }
    }
}

// A Write of 4 KiB at a time, and `streams` generators of inline Writes of 64 B, each on a core of its own.
ChildResult beside_stores(int streams, int window, const std::string& credits) {
    std::string qps = R"("q0": {})";
    std::string traffic =
        R"("w": {"from": "A.q0", "to": "B.q0", "operation": "write", "size": "4 KiB", "window": 1, "count": 100})";
    for (int i = 1; i <= streams; ++i) {
        qps += fmt::format(R"(, "q{}": {{}})", i);
        traffic += fmt::format(R"(, "s{}": {{"from": "A.q{}", "to": "B.q{}", "operation": "write", "size": "64 B",
                                   "inline": true, "window": {}, "count": 1000}})",
                               i, i, i, window);
    }
    return run_text(fmt::format(R"({{"hosts": {{"A": {{"qps": {{{}}}}}, "B": {{"qps": {{{}}}}}}}, "traffic": {{{}}}}})",
                                qps, qps, traffic),
                    {"hosts.A.pcie.bar_posted_headers=" + credits});
}

// By itself the Write takes 2 us and waits for four completions: of its WQE, its payload, and the poll's. Each waits
// for the stores before it: those in the link and in the cores' store buffers, and with four credits in a round of 305
// ns three cores, which post one each 210 ns, never have more than 12 under way.
TEST_CASE("fairness: a Write beside cores that store all the time waits for what came before it") {
    const ChildResult run = beside_stores(3, 64, "4");
    REQUIRE(run.ended);
    CHECK(run.metric("traffic.w.latency.max") < 2'200'000 + 4 * 3 * 305'000);
}

// The read buffer holds eight Reads of 64 KiB, and each of four generators wants sixteen.
TEST_CASE("fairness: of equal queue pairs that wait for room in the read buffer none is behind") {
    std::string traffic;
    for (int i = 0; i < 4; ++i) {
        traffic += fmt::format(R"({}"t{}": {{"from": "A.p{}", "to": "B.p{}", "operation": "read", "size": "64 KiB",
                                    "window": 32, "count": 400}})",
                               i == 0 ? "" : ", ", i, i, i);
    }
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {)" + traffic + "}}");
    REQUIRE(run.ended);
    CHECK(run.metric("A.nic.read_responses.read_buffer.high_water") == 512 * 1024);
    for (int i = 0; i < 4; ++i) {
        CHECK(4 * run.metric(fmt::format("traffic.t{}.shared_goodput", i)) >= 8 * run.metric("run.to_A.goodput") / 10);
    }
}

TEST_CASE("fairness: of equal cores that push without end none is behind, and no read starves") {
    const ChildResult run = beside_stores(16, 1, "32");
    REQUIRE(run.ended);
    std::uint64_t sum = 0;
    std::uint64_t least = UINT64_MAX;
    for (int i = 1; i <= 16; ++i) {
        const std::uint64_t rate = run.metric(fmt::format("traffic.s{}.message_rate", i));
        sum += rate;
        least = std::min(least, rate);
    }
    CHECK(least * 16 >= sum * 8 / 10);
    // Each of the others has one message under way, and may be in front of the Write once wherever they meet: 88 B of
    // PCIe (5.9 ns) down, and up for payload and CQE, 162 B of wire (13 ns) there and 86 B (6.9 ns) back.
    const std::uint64_t alone = beside_stores(0, 1, "32").metric("traffic.w.latency.max");
    CHECK(run.metric("traffic.w.latency.max") < alone + 16 * (3 * 5'900 + 13'000 + 6'900));
}

}  // namespace ndsim::test::fairness_test
