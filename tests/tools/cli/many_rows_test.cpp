// SPDX-License-Identifier: Apache-2.0
// Tables of runs with hundreds of hosts: the rows that matter, and the number of the others.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/load.hpp"
#include "tests/support/catch.hpp"
#include "tools/cli/engines_text.hpp"
#include "tools/cli/expectations_text.hpp"
#include "tools/cli/foremost.hpp"
#include "tools/cli/latency_text.hpp"
#include "tools/cli/ledger_text.hpp"
#include "tools/cli/recovery_text.hpp"
#include "tools/cli/traffic_text.hpp"

namespace ndsim::cli::many_rows_test {

using Places = std::vector<std::size_t>;

Paint plain() {
    return Paint(std::fopen("/dev/null", "r"));
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// 40 generators between two hosts; their sizes differ, so that none are alike.
Loaded forty() {
    std::string traffic;
    for (int i = 0; i < 40; ++i) {
        traffic += fmt::format(R"({}"t{}": {{"from": "A.q{}", "to": "B.q{}", "size": "{} B"}})", i == 0 ? "" : ", ", i,
                               i, i, 100 + i);
    }
    return {load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {)" + traffic + "}}"), {}, {}};
}

TEST_CASE("foremost: the places of the largest, in their own order, the first of equal ones") {
    CHECK(foremost({5, 9, 7, 9, 1}, 3) == Places{1, 2, 3});
    CHECK(foremost({4, 4, 4}, 2) == Places{0, 1});
    CHECK(foremost({1, 2}, 5) == Places{0, 1});
    CHECK(foremost({}, 5).empty());
    CHECK(others_below(40, 32, "slower ones") == "  and 8 slower ones, in result.json\n");
    CHECK(others_below(32, 32, "slower ones").empty());
}

TEST_CASE("traffic: of 40 generators the table has the 32 slowest, one that failed among them") {
    RunResult result;
    for (int i = 0; i < 40; ++i) {
        const std::string prefix = fmt::format("traffic.t{}.", i);
        result.metrics.add(prefix + "goodput", 1'000'000'000 * (1 + static_cast<std::uint64_t>(i)), Quantity::rate, "");
        result.metrics.add(prefix + "failed", i == 39 ? 1 : 0, std::nullopt, "");
    }
    const std::string text = traffic_text(forty(), result, plain());
    // t39 is the fastest, but it failed; so of the others the 31 slowest, t0 to t30, are there
    CHECK(has(text, "\n  t0 "));
    CHECK(has(text, "\n  t30 "));
    CHECK_FALSE(has(text, "\n  t31 "));
    CHECK_FALSE(has(text, "\n  t38 "));
    CHECK(has(text, "\n  t39 "));
    CHECK(has(text, "\n  and 8 that are no slower, in result.json\n"));
}

TEST_CASE("traffic: of 40 generators that failed, the table says that there are more") {
    RunResult result;
    for (int i = 0; i < 40; ++i) {
        result.metrics.add(fmt::format("traffic.t{}.failed", i), 1, std::nullopt, "");
    }
    CHECK(has(traffic_text(forty(), result, plain()),
              "\n  and 8 that are no slower, 8 of them with failures, in result.json\n"));
}

TEST_CASE("latency: of 40 series the table has those with the longest means") {
    Metrics metrics;
    for (int i = 0; i < 40; ++i) {
        metrics.add(fmt::format("traffic.t{}.latency.mean", i), 1'000'000 * (1 + static_cast<std::uint64_t>(i)),
                    Quantity::time, "");
    }
    const std::string text = latency_text(forty(), metrics, plain());
    CHECK_FALSE(has(text, "\n  t7: "));
    CHECK(has(text, "\n  t8: "));  // 40 - 32 = 8 are shorter
    CHECK(has(text, "\n  and 8 with shorter means, in result.json\n"));
}

TEST_CASE("ledger: of many hosts, the four with the longest requests of each operation") {
    std::vector<MeanLedger> ledgers;
    for (int i = 0; i < 20; ++i) {
        const Picoseconds time{1000 * (i + 1)};
        ledgers.push_back({fmt::format("H{}", i), "send", 1, time, {{"wire", time}}});
        ledgers.push_back({fmt::format("H{}", i), "read", 1, 2 * time, {{"wire", 2 * time}}});
    }
    const std::string text = ledger_text(ledgers, plain());
    CHECK_FALSE(has(text, "H15 send"));
    CHECK(has(text, "H16 send"));
    CHECK(has(text, "H19 send"));
    CHECK_FALSE(has(text, "H15 read"));
    CHECK(has(text, "H16 read"));
    CHECK(has(text, "\n  and 32 of shorter requests, in result.json\n"));  // 40 - 2 x 4
    ledgers.resize(kMostRows);
    CHECK(has(ledger_text(ledgers, plain()), "H0 send"));  // few enough to show all
}

TEST_CASE("engines: of many hosts, the three of each kind that rested least") {
    const Picoseconds ns{1000};
    std::vector<EngineUse> engines;
    for (int i = 0; i < 30; ++i) {
        engines.push_back({fmt::format("H{}.nic.wqe", i), (100 - i) * ns, i * ns, {}});  // H0's did nothing
        engines.push_back({fmt::format("H{}.cpu_t{}", i, i), (100 - i) * ns, {}, {{"device", i * ns}}});
        engines.push_back({fmt::format("l{}_H{}_to_s", i, i), i * ns, (100 - i) * ns, {}});
    }
    const std::string text = engines_text(engines, plain());
    CHECK_FALSE(has(text, "H26.nic.wqe"));
    CHECK(has(text, "H27.nic.wqe"));
    CHECK(has(text, "H29.nic.wqe"));
    CHECK_FALSE(has(text, "H26.cpu_t26"));  // cores of different generators are of one kind
    CHECK(has(text, "H27.cpu_t27"));
    CHECK(has(text, "l2_H2_to_s"));
    CHECK_FALSE(has(text, "l3_H3_to_s"));
    // 90 less two that did nothing and three kinds of three
    CHECK(has(text, "\n  and 79 of these kinds that rested longer, in result.json\n"));
}

TEST_CASE("recovery: of many hosts, the largest counts, and of many ports the most losses") {
    Recovery recovery;
    for (std::uint64_t i = 1; i <= 40; ++i) {
        recovery.rows.push_back({fmt::format("H{}", i), {i, 0, 0, 0}});
        recovery.losses.push_back({fmt::format("s.H{}.drops", i), i, std::nullopt, "packets"});
    }
    const std::string text = recovery_text(recovery, plain());
    CHECK_FALSE(has(text, "\n  H8 "));
    CHECK(has(text, "\n  H9 "));
    CHECK(has(text, "\n  and 8 hosts with less, in result.json\n"));
    CHECK_FALSE(has(text, "s.H8.drops"));
    CHECK(has(text, "s.H9.drops"));
    CHECK(has(text, "\n  and 8 smaller losses, in result.json\n"));
}

TEST_CASE("expectations: of many, 32 that are met and 32 that are not") {
    Scenario scenario;
    scenario.expect.resize(1);
    RunResult result;
    for (int i = 0; i < 80; ++i) {
        Verdict verdict;
        verdict.path = fmt::format("expect[{}]", i);
        verdict.what = fmt::format("this {}", i);
        verdict.met = i < 40;
        result.verdicts.push_back(verdict);
    }
    const std::string text = expectations_text(scenario, result, plain());
    CHECK(has(text, ": 40 of 80 met\n"));
    CHECK(has(text, "this 31\n"));
    CHECK_FALSE(has(text, "this 32\n"));
    CHECK(has(text, "this 71\n"));
    CHECK_FALSE(has(text, "this 72\n"));
    CHECK(text.ends_with("  and 8 that are met, in result.json\n  and 8 that are not met, in result.json\n"));
}

}  // namespace ndsim::cli::many_rows_test
