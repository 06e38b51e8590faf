// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::rate_test {

double goodput_gbps(const std::string& mtu, const std::string& framing = "ethernet") {
    const ChildResult run = run_file("scenarios/library/stream.json",
                                     {"nic.mtu=" + mtu, "traffic.stream.count=600", "link.framing=" + framing});
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.metric("traffic.stream.steady") == 1);
    return static_cast<double>(run.metric("traffic.stream.goodput")) / 1e9;
}

struct Point {
    double rate = 0;        // messages per second
    double latency_ps = 0;  // of one message alone
};

Point measure(const std::string& size, std::uint64_t window) {
    const ChildResult run = run_text(
        R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "count": 12000, "size": ")" + size +
            R"(", "window": )" + std::to_string(window) + R"(}}, "measure": {"warmup": 2000}})",
        {"nic.wqe_push_max=0"});  // a request that is posted alone would be quicker than the others
    INFO(run.why);
    REQUIRE(run.ended);
    return {static_cast<double>(run.metric("traffic.t.message_rate")),
            static_cast<double>(run.metric("traffic.t.latency.mean"))};
}

// The rate follows min(window / latency of one alone, limit), but for a factor of two around the knee, where
// queueing begins.
void follows_the_bounds(const std::string& size, double limit) {
    const double alone = 1e12 / measure(size, 1).rate;
    for (const std::uint64_t window : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U}) {
        const double unlimited = static_cast<double>(window) * 1e12 / alone;
        const double rate = measure(size, window).rate;
        INFO("window " << window << ": " << rate << " messages/s, window/latency " << unlimited << ", limit " << limit);
        CHECK(rate <= 1.03 * std::min(unlimited, limit));
        if (unlimited < limit / 2 || unlimited > 2 * limit) {
            CHECK(rate >= 0.97 * std::min(unlimited, limit));
        }
    }
}

// A bus of 31.5 Gb/s (8 GT/s, 4 lanes, 128b/130b) to the memory that takes the data. The RX buffer takes up to 1 MiB at
// the wire's rate, which is not in memory yet. The run that is long enough to forget that is the reference.
double goodput_over_slow_bus(const std::string& operation, const std::string& host, const std::string& count) {
    const ChildResult run =
        run_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "operation": ")" +
                     operation + R"(", "size": "4 KiB", "window": 128}}})",
                 {"hosts." + host + ".pcie.generation=3", "hosts." + host + ".pcie.width=4",
                  "hosts." + host + ".nic.rx_buffer=1 MiB", "traffic.t.count=" + count});
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.metric("traffic.t.interval") < 2'000);  // 0.2 %
    return static_cast<double>(run.metric("traffic.t.goodput")) / 1e9;
}

// One message of the 270 that the short run measures is 0.4 %.
void same_rate_in_a_short_run(const std::string& operation, const std::string& host) {
    const double in_long_run = goodput_over_slow_bus(operation, host, "6000");
    CHECK(in_long_run < 31.5);
    CHECK(goodput_over_slow_bus(operation, host, "300") == Catch::Approx(in_long_run).epsilon(0.004));
}

TEST_CASE("Writes over a slow bus: what waits in the RX buffer is not goodput") {
    same_rate_in_a_short_run("write", "B");
}

TEST_CASE("Reads over a slow bus: what waits in the RX buffer is not goodput") {
    same_rate_in_a_short_run("read", "A");
}

TEST_CASE("64 KiB messages, window 16, MTU 4096: payload is 98.04 % of the line rate") {
    // 4096 / (4096 + 82) of 100 Gb/s (timing.md F4).
    CHECK(goodput_gbps("4096") == Catch::Approx(98.04).epsilon(0.01));
}

TEST_CASE("64 KiB messages, window 16, MTU 1024: payload is 92.59 % of the line rate") {
    // 1024 / (1024 + 82) of 100 Gb/s.
    CHECK(goodput_gbps("1024") == Catch::Approx(92.59).epsilon(0.01));
}

TEST_CASE("64 KiB messages, window 16, InfiniBand: payload is 99.37 % of the line rate, 97.52 % at MTU 1024") {
    // 4096 / (4096 + 26) and 1024 / (1024 + 26) of 100 Gb/s.
    CHECK(goodput_gbps("4096", "infiniband") == Catch::Approx(99.37).epsilon(0.002));
    CHECK(goodput_gbps("1024", "infiniband") == Catch::Approx(97.52).epsilon(0.002));
}

TEST_CASE("64 B messages: the rate follows window / latency up to what the receiving core can do") {
    // A receive costs its core 60 ns of poll, 50 ns of WQE and 100 ns of doorbell, and an update of the consumer index
    // (100 ns) for every 16 completions: 216.25 ns.
    follows_the_bounds("64 B", 1e9 / 216.25);
}

TEST_CASE("4 KiB messages: the rate follows window / latency up to the wire") {
    // 4178 B on the lane at 80 ps a byte: 334.24 ns a message.
    follows_the_bounds("4 KiB", 1e9 / 334.24);
}

// B polls a message in 60 ns, builds a receive in 500 ns, rings for it in 100 ns, and updates the consumer index (100
// ns) for every 16 completions: it takes a message of 4 KiB each 666.25 ns, 49.18 Gb/s, give or take one poll of 16 in
// 900 (2 %). The receives posted ahead, 512 of 1000, take the others at the wire's rate.
TEST_CASE("a receiver that lives on the receives posted ahead is not steady") {
    const auto slow = [](const std::string& arrivals) {
        return run_text(R"({"hosts": {"A": {}, "B": {"cpu": {"wqe_build": "500 ns"}}},
                            "traffic": {"t": {"from": "A", "to": "B", "size": "4 KiB", "count": 1000)" +
                        arrivals + "}}}");
    };
    const std::string open = R"(, "arrivals": "fixed", "interval": "365 ns")";  // 89.8 Gb/s
    for (const std::string& arrivals : {std::string(), open}) {
        const ChildResult run = slow(arrivals);
        INFO(run.why);
        REQUIRE(run.ended);
        CHECK(static_cast<double>(run.metric("traffic.t.goodput")) > 85e9);
        CHECK(static_cast<double>(run.metric("traffic.t.polled")) == Catch::Approx(49.18e9).epsilon(0.02));
        CHECK(run.metric("traffic.t.steady") == 0);
    }
}

}  // namespace ndsim::test::rate_test
