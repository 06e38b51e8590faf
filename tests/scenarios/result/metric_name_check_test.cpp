// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <filesystem>
#include <set>

#include "scenarios/format/load.hpp"
#include "scenarios/result/metric_name_check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::metric_name_check_test {

// The figures of a run that are not among those known before it.
std::vector<std::string> surprises(const std::string& text) {
    const std::vector<std::string> list = known_metrics(text);
    const std::set<std::string> known(list.begin(), list.end());
    std::vector<std::string> found;
    for (const auto& [name, value] : run_text(text).metrics) {
        if (!known.contains(name)) {
            found.push_back(name);
        }
    }
    return found;
}

TEST_CASE("metrics: every figure of a run was known before it, in the whole library") {
    for (const auto& entry : std::filesystem::directory_iterator(NDSIM_SOURCE_DIR "/scenarios/library")) {
        INFO(entry.path());
        CHECK(surprises(file_text(entry.path())).empty());
    }
}

// Figures that a run has only of what has happened in it: percentiles of few and of many samples, the parts of several
// generators, timers that the program comes to or not, ledgers, and the queues of switches.
constexpr std::string_view kMuch = R"({"hosts": {"A": {"buffers": {"m": {}}}, "B": {}, "C": {}}, "switches": {"s": {}},
"traffic": {"many": {"from": "A", "to": "B", "size": "64 B", "count": 20000, "operation": "write", "window": 8},
            "few": {"from": "C", "to": "B.q1", "size": "64 B", "count": 3}},
"dma": {"d": {"host": "C", "size": "64 B", "count": 50}},
"programs": {"A": [{"time": "once", "do": [{"sleep": "1 us"}]}, {"repeat": 3, "do": [{"time": "more", "do": []}]}]}})";

TEST_CASE("metrics: figures that depend on what happens are known before it does") {
    CHECK(surprises(std::string(kMuch)).empty());
    const std::vector<std::string> known = known_metrics(std::string(kMuch));
    for (const std::string name : {"traffic.few.delivery.p99_99", "traffic.many.latency.p99_99", "run.to_B.steady",
                                   "programs.A.once.mean", "dma.d.interval", "ledger.C.read.longest.tx"}) {
        INFO(name);
        CHECK(std::ranges::count(known, name) == 1);
    }
    CHECK(std::ranges::count(known, "traffic.many.delivery.p50") == 0);  // nobody polls for a Write
}

std::string wrong_with(const std::string& expectation) {
    Metrics known(Metrics::Of::any_run);
    known.add("A.nic.wqe.messages", 0, std::nullopt, "");
    known.add("A.nic.pcie.up_bytes", 0, Quantity::size, "");
    known.add_time("traffic.t.latency.p99", {}, "");
    return wrong_metrics(load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B"}},
)" + expectation + "}"),
                         known)
        .text();
}
std::string expecting(const std::string& metric, const std::string& bound) {
    return R"("expect": [{"metric": ")" + metric + R"(", )" + bound + "}]";
}

TEST_CASE("metrics: one that there is not is refused with the nearest that there is") {
    CHECK(wrong_with(expecting("traffic.t.latency.p98", R"("at_most": "1 us")")) ==
          "f:2:23: expect[0].metric: there is no metric \"traffic.t.latency.p98\"; did you mean "
          "\"traffic.t.latency.p99\"?");
    CHECK(wrong_with(expecting("A.nix", R"("at_most": 1)")) ==
          "f:2:23: expect[0].metric: there is no metric \"A.nix\" (metrics that begin with \"A.\" go on with nic)");
    for (const std::string name : {"", ".", "x", "Q.nic"}) {
        CHECK(wrong_with(expecting(name, R"("at_most": 1)")) ==
              "f:2:23: expect[0].metric: there is no metric \"" + name + "\" (metrics begin with A, traffic)");
    }
    CHECK(wrong_with(R"("target": ["goodput > 1 Gbps", "A.nic.wqe.mesages < 5"])") ==
          "f:2:12: target[0]: there is no metric \"traffic.t.goodput\" (metrics that begin with \"traffic.t.\" go on "
          "with latency)\n"
          "f:2:32: target[1]: there is no metric \"A.nic.wqe.mesages\"; did you mean \"A.nic.wqe.messages\"?");
}

TEST_CASE("metrics: a bound of another unit is refused") {
    CHECK(wrong_with(expecting("A.nic.wqe.messages", R"("at_least": "5 us")")) ==
          "f:2:57: expect[0].at_least: A.nic.wqe.messages is a count: expected a whole number without a unit, got "
          "\"5 us\"");
    CHECK(wrong_with(expecting("A.nic.pcie.up_bytes", R"("at_most": 5)")) ==
          "f:2:57: expect[0].at_most: A.nic.pcie.up_bytes is a size: expected a number and a unit, such as \"4 KiB\", "
          "got \"5\"");
    CHECK(wrong_with(R"("target": "p99 < 5")") ==
          "f:2:11: target: traffic.t.latency.p99 is a time: expected a number and a unit, such as \"1 us\", got \"p99 "
          "< 5\"");
    CHECK(wrong_with(expecting("A.nic.wqe.messages", R"("at_least": 5, "at_most": 6)")).empty());
    CHECK(wrong_with(R"("target": "p99 < 5 us")").empty());
}

TEST_CASE("metrics: a run whose scenario names none that there is does not begin") {
    const std::string text = R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "count": 5}},
"expect": [{"metric": "traffic.t.godput", "at_least": "1 bps"}]})";
    const ChildResult run = run_text(text);
    CHECK(run.metrics.empty());
    CHECK(run.why ==
          "test.json:2:23: expect[0].metric: there is no metric \"traffic.t.godput\"; did you mean "
          "\"traffic.t.goodput\"?");
}

// Five samples have no 99.99th percentile: the name is right, and the expectation is not met.
TEST_CASE("metrics: a figure that a run has not is an expectation that is not met") {
    const ChildResult run =
        run_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B", "count": 5}},
"expect": [{"metric": "traffic.t.latency.p99_99", "at_most": "1 s"}]})");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.unmet == "traffic.t.latency.p99_99 at most 1 s: the run has none, such as for want of samples\n");
}

}  // namespace ndsim::test::metric_name_check_test
