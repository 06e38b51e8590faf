// SPDX-License-Identifier: Apache-2.0
#include "scenarios/measure/measured_latency.hpp"

#include <cstdlib>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::measured_latency_test {

using namespace std::chrono_literals;

std::optional<std::uint64_t> interval_of(const MeasuredLatency& latency) {
    Metrics metrics;
    latency.report(metrics, "x", "");
    const Metric* const interval = metrics.find("x.interval");
    return interval == nullptr ? std::nullopt : std::optional(interval->value);
}

TEST_CASE("measured latency: the interval of batches whose means are 4 us and 6 us in turns") {
    // Two messages a batch. As of rates: 2.093 * sqrt(1 / 19) of 5 us is 0.096033.
    MeasuredLatency latency(40);
    for (std::uint64_t i = 0; i < 40; ++i) {
        const Picoseconds mean = i / 2 % 2 == 0 ? 4us : 6us;
        latency.record(i, i % 2 == 0 ? mean - 1us : mean + 1us);
    }
    CHECK(interval_of(latency) == 96'033U);
}

TEST_CASE("measured latency: latencies that are all alike have an interval of nothing") {
    MeasuredLatency latency(30);
    for (std::uint64_t i = 0; i < 30; ++i) {
        latency.record(i, 2us);
    }
    CHECK(interval_of(latency) == 0U);
}

TEST_CASE("measured latency: there is no interval if a batch is empty") {
    MeasuredLatency few(19);
    for (std::uint64_t i = 0; i < 19; ++i) {
        few.record(i, 2us);
    }
    CHECK_FALSE(interval_of(few));
    MeasuredLatency thinned(64);  // 3 or 4 messages a batch, of which every fourth tells
    for (std::uint64_t i = 3; i < 64; i += 4) {
        thinned.record(i, 2us);
    }
    CHECK_FALSE(interval_of(thinned));
}

TEST_CASE("measured latency: latencies stay if the second half is at most a quarter longer") {
    const auto stay = [](Picoseconds second) {
        MeasuredLatency latency(40);
        for (std::uint64_t i = 0; i < 40; ++i) {
            latency.record(i, i < 20 ? Picoseconds{4us} : second);
        }
        return latency.stay();
    };
    CHECK(stay(5us) == true);
    CHECK(stay(5us + Picoseconds{1}) == false);
    CHECK(stay(1us) == true);
    CHECK_FALSE(MeasuredLatency(40).stay());
}

// 4 KiB take 334 ns of the wire: at one each 300 ns a backlog grows, and at one each 500 ns, at random, none does.
TEST_CASE("measured latency: an open loop is steady if it serves what arrives") {
    const auto steady = [](const char* interval) {
        return run_traffic(R"("operation": "write", "window": 128, "count": 4000, "arrivals": "poisson",
                              "interval": ")" +
                           std::string(interval) + "\"")
            .metric("traffic.t.steady");
    };
    CHECK(steady("300 ns") == 0);
    CHECK(steady("500 ns") == 1);
}

TEST_CASE("measured latency: of an open loop with less than four messages nobody knows whether it is steady") {
    const auto is_known = [](const char* count) {
        return run_traffic(R"("operation": "write", "arrivals": "fixed", "interval": "1 us", "count": )" +
                           std::string(count))
            .metrics.contains("traffic.t.steady");
    };
    CHECK_FALSE(is_known("3"));
    CHECK(is_known("4"));
}

TEST_CASE("measured latency: 20 ns of cable more are 20 ns more in each percentile of the delivery") {
    const auto run = [](const char* length) {
        return run_traffic(R"("size": "64 B", "count": 400, "window": 1)", {std::string("link.length=") + length});
    };
    const ChildResult near = run("2 m");
    const ChildResult far = run("6 m");
    // 4 m at 5 ns are 20 ns there, and as much on the way back of the acknowledgement. Most messages take equally long;
    // some share a bucket with them, 1/1024 of 1.4 or 1.7 us, before or after.
    for (const std::string percentile : {"p50", "p90", "p99"}) {
        const auto more = [&](const std::string& name) {
            return static_cast<std::int64_t>(far.metric(name + percentile) - near.metric(name + percentile));
        };
        CHECK(std::abs(more("traffic.t.delivery.") - 20'000) <= 1'400'000 / 1024);
        CHECK(std::abs(more("traffic.t.latency.") - 40'000) <= 1'700'000 / 1024);
    }
}

TEST_CASE("measured latency: a generator's latencies and deliveries have the window of its rate") {
    const ChildResult run = finish_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B",
        "size": "64 B", "count": 300, "window": 4}}, "measure": {"warmup": 50, "window": 200}})");
    CHECK(run.metric("traffic.t.measured") == 200);
    CHECK(run.metric("traffic.t.latency.count") == 200);
    CHECK(run.metric("traffic.t.delivery.count") == 200);
    CHECK(run.metrics.contains("traffic.t.latency.interval"));
    CHECK(run.metrics.contains("traffic.t.delivery.interval"));
}

}  // namespace ndsim::test::measured_latency_test
