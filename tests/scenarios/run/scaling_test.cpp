// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// What more cores and more queue pairs bring: more, until something binds that has a name, and from then on the same.
namespace ndsim::test::scaling_test {

struct Point {
    double rate = 0;              // goodput of all generators together
    std::set<std::string> bound;  // parameters of what binds
};

// `cores` generators, each on a core of its own with a queue pair of its own, or with several.
Point run_cores(int cores, const std::string& members, std::vector<std::string> overrides = {}) {
    std::string traffic;
    for (int i = 0; i < cores; ++i) {
        traffic +=
            fmt::format(R"({}"t{}": {{"from": "A.p{}", "to": "B.p{}", {}}})", i == 0 ? "" : ", ", i, i, i, members);
    }
    const ChildResult run =
        run_text(fmt::format(R"({{"hosts": {{"A": {{}}, "B": {{}}}}, "traffic": {{{}}}}})", traffic), overrides);
    INFO(traffic << run.why);
    REQUIRE(run.outcome == RunOutcome::finished);
    Point point;
    for (int i = 0; i < cores; ++i) {
        point.rate += static_cast<double>(
            run.metric(fmt::format("traffic.t{}.{}", i, cores == 1 ? "goodput" : "shared_goodput")));
    }
    for (const ChildResult::SeenLimit& limit : run.limits) {
        if (limit.binds) {
            point.bound.insert(limit.parameter.substr(limit.parameter.rfind("hosts.", 0) == 0 ? 6 : 0));
        }
    }
    return point;
}

// From one point to the next, with twice as many: either twice as much comes of it, or something binds that is not one
// of these; and never is it less.
void check_growth(const Point& before, const Point& after, const std::set<std::string>& of_each) {
    CHECK(after.rate >= 0.99 * before.rate);
    const bool binds = std::any_of(after.bound.begin(), after.bound.end(),
                                   [&](const std::string& parameter) { return !of_each.contains(parameter); });
    CHECK((after.rate >= 1.9 * before.rate || binds));
}

TEST_CASE("scaling: cores that write add up until the wire is full, and then share it") {
    const auto point = [](int cores) {
        return run_cores(cores, R"("operation": "write", "size": "64 B", "inline": true, "count": 500)");
    };
    Point before = point(1);
    CHECK(before.bound == std::set<std::string>{"A.cpu.mmio_uc"});
    for (int cores = 2; cores <= 32; cores *= 2) {
        INFO(cores << " cores");
        const Point after = point(cores);
        check_growth(before, after, {"A.cpu.mmio_uc"});
        before = after;
    }
    // Each Write takes 64 bytes of payload, 16 of RETH and 82 of framing and other headers on the wire.
    CHECK(before.rate == Catch::Approx(100e9 * 64 / 162).epsilon(0.01));
    CHECK(before.bound.contains("links.l0.rate"));
}

TEST_CASE("scaling: cores that read add up until the wire is full, and then share it") {
    const auto point = [](int cores) {
        return run_cores(cores, R"("operation": "read", "size": "4 KiB", "window": 2, "count": 300)");
    };
    Point before = point(1);
    for (int cores = 2; cores <= 32; cores *= 2) {
        INFO(cores << " cores");
        std::set<std::string> windows;
        for (int i = 0; i < cores; ++i) {
            windows.insert(fmt::format("traffic.t{}.window", i));
        }
        const Point after = point(cores);
        check_growth(before, after, windows);
        before = after;
    }
    CHECK(before.bound.contains("links.l0.rate"));
}

// A queue pair starts half a million messages a second.
TEST_CASE("scaling: queue pairs add up until the core is busy, and a thousand are as good as twenty") {
    const auto point = [](int queue_pairs) {
        return run_cores(
            1,
            fmt::format(R"("operation": "write", "size": "8 B", "inline": true, "window": 64, "count": 4000,
                                        "queue_pairs": {}, "choose": "round_robin")",
                        queue_pairs),
            {"nic.per_qp_rate=500k/s"});
    };
    Point before = point(1);
    CHECK(before.rate == Catch::Approx(64 * 0.5e6).epsilon(0.001));
    for (int queue_pairs = 2; queue_pairs <= 1024; queue_pairs *= 2) {
        INFO(queue_pairs << " queue pairs");
        const Point after = point(queue_pairs);
        check_growth(before, after, {"A.nic.per_qp_rate"});
        before = after;
    }
    // With 64 outstanding over 1,024 queue pairs nearly every post finds its queue empty, so its WQE is pushed (75 ns),
    // and a doorbell is rung for none.
    CHECK(before.bound.contains("A.cpu.mmio_wc64"));
}

// Beyond 400 their contexts do not fit (P10), but 64 Reads of 4 KiB cover the latency of what is read for them.
TEST_CASE("scaling: up to a thousand queue pairs share the wire") {
    Point before;
    for (int queue_pairs = 1; queue_pairs <= 512; queue_pairs *= 2) {
        const Point after = run_cores(
            2, fmt::format(R"("operation": "read", "size": "4 KiB", "window": 32, "count": 1000, "queue_pairs": {})",
                           queue_pairs));
        INFO(queue_pairs << " queue pairs on each of two cores");
        CHECK(after.rate >= 0.99 * before.rate);
        CHECK(after.bound.contains("links.l0.rate"));
        before = after;
    }
}

}  // namespace ndsim::test::scaling_test
