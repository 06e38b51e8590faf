// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/scope.hpp"

#include <algorithm>

#include "scenarios/format/load.hpp"
#include "scenarios/result/settings.hpp"
#include "tests/support/catch.hpp"
#include "tools/advise/cost.hpp"
#include "tools/advise/dimensions.hpp"
#include "tools/advise/safe_depth.hpp"
#include "tools/cli/failure.hpp"

namespace ndsim::advise::scope_test {

// What a file, a preset and the command line say of a scenario that has these parameters.
const std::vector<Setting> kSettings{{"hosts.A.nic.sq.depth", "128", Origin::preset},
                                     {"hosts.A.qps.q0.sq.depth", "128", Origin::preset},
                                     {"hosts.A.nic.cq.depth", "99", Origin::command_line},
                                     {"hosts.A.qps.q1.sq.depth", "32", Origin::file},
                                     {"traffic.t.window", "64", Origin::file},
                                     {"traffic.u.window", "16", Origin::default_}};

TEST_CASE("scope: what the file or the command line sets stays, unless it is named to be searched") {
    const Scope scope(kSettings, {}, {"traffic.t.window"});
    CHECK(scope.may_change("hosts.A.nic.sq.depth"));
    CHECK_FALSE(scope.may_change("hosts.A.qps.q1.sq.depth"));
    CHECK_FALSE(scope.may_change("hosts.A.nic.cq.depth"));
    CHECK(scope.may_change("traffic.t.window"));
    CHECK(scope.searched() == std::vector<std::string>{"traffic.t.window"});
    // The end of a path is enough of a name, but not the end of a word.
    const Scope both(kSettings, {}, {"sq.depth"});
    CHECK(both.may_change("hosts.A.qps.q1.sq.depth"));
    CHECK_THROWS_AS(Scope(kSettings, {}, {"q.depth"}), cli::UsageError);
}

TEST_CASE("scope: what is held stays, and a name that there is not is told") {
    const Scope scope(kSettings, {"nic.sq.depth"}, {});
    CHECK_FALSE(scope.may_change("hosts.A.nic.sq.depth"));
    CHECK(scope.may_change("traffic.u.window"));
    try {
        const Scope wrong(kSettings, {"nic.sq.dept"}, {});
        FAIL("it has no such parameter");
    } catch (const cli::UsageError& error) {
        CHECK(std::string(error.what()) ==
              "--hold: the scenario has no parameter \"nic.sq.dept\"; did you mean \"nic.sq.depth\"?");
    }
    const Held held = parse_held({"nic.sq.depth=64", "nic.rq.depth"});
    CHECK(held.overrides == std::vector<std::string>{"nic.sq.depth=64"});
    CHECK(held.names == std::vector<std::string>{"nic.rq.depth"});
}

std::string problem_of(const std::string& searched) {
    const std::vector<Setting> settings{{"links.l0.rate", "100 Gbps", Origin::preset},
                                        {"links.l0.mtu_slots", "9", Origin::preset},
                                        {"switches.s.buffer", "1 MiB", Origin::preset}};
    try {
        const Scope scope(settings, {}, {searched});
        return "found " + scope.searched().at(0);
    } catch (const cli::UsageError& error) {
        return error.what();
    }
}

TEST_CASE("scope: all links, or all switches, have the name that --set takes") {
    CHECK(problem_of("link.rate") == "found links.l0.rate");
    CHECK(problem_of("switch.buffer") == "found switches.s.buffer");
    CHECK(is_called("links.l0.rate", "l0.rate"));
    CHECK_FALSE(is_called("links.l0.rate", "link.l0.rate"));
    CHECK_FALSE(is_called("links.l0.fault.rate", "link.rate"));
    CHECK_FALSE(is_called("switches.s.buffer", "link.buffer"));
}

// A rate is no depth, so its name would not help.
TEST_CASE("scope: the name that may be meant for a search is that of a depth") {
    CHECK(problem_of("link.rat") == "--search: the scenario has no parameter \"link.rat\"");
    CHECK(problem_of("switch.bufer") ==
          "--search: the scenario has no parameter \"switch.bufer\"; did you mean \"switch.buffer\"?");
}

TEST_CASE("scope: what is held is not searched") {
    const std::vector<Setting> settings{{"hosts.A.nic.sq.depth", "64", Origin::preset}};
    CHECK_THROWS_WITH(Scope(settings, {"sq.depth"}, {"nic.sq.depth"}),
                      "--search: hosts.A.nic.sq.depth is held by --hold");
}

Scenario scenario(const std::string& hosts, const std::string& traffic) {
    return load_scenario("f", R"({"hosts": {)" + hosts + R"(}, "traffic": {)" + traffic + "}}");
}
std::vector<std::string> names_of(const Dimensions& dimensions) {
    std::vector<std::string> names;
    std::ranges::transform(dimensions.all, std::back_inserter(names), &Dimension::name);
    return names;
}

TEST_CASE("scope: a depth that is held is no dimension, and a window that nobody sets follows it") {
    const Scenario s = scenario(R"("A": {}, "B": {})", R"("t": {"from": "A", "to": "B", "operation": "write"})");
    const Scope held({{"hosts.A.nic.sq.depth", "64", Origin::file}, {"hosts.A.qps.q0.sq.depth", "64", Origin::file}},
                     {}, {});
    const Dimensions dimensions = dimensions_of(s, {true, true, true, false}, held);
    CHECK(names_of(dimensions) == std::vector<std::string>{"A CQ", "A read tags", "A WQE cache"});
    REQUIRE(dimensions.held.size() == 1);
    CHECK(dimensions.held[0].path == "hosts.A.nic.sq.depth");
    CHECK(dimensions.held[0].value == "64");
    // The scenario itself has preset B's 128.
    CHECK(dimensions.overrides == std::vector<std::string>{"traffic.t.window=128"});
    // A window that is set stays, and the queue is searched.
    const Dimensions window =
        dimensions_of(s, {true, true, true, false}, Scope({{"traffic.t.window", "16", Origin::file}}, {}, {}));
    CHECK(overrides_of(window.all.front(), 9) == std::vector<std::string>{"hosts.A.nic.sq.depth=9"});
    CHECK(window.overrides.empty());
    // Likewise one that nobody sets, and that is named to be held.
    const Dimensions named = dimensions_of(s, {true, true, true, false},
                                           Scope({{"traffic.t.window", "16", Origin::default_}}, {"window"}, {}));
    CHECK(overrides_of(named.all.front(), 9) == std::vector<std::string>{"hosts.A.nic.sq.depth=9"});
    REQUIRE(named.held.size() == 1);
    CHECK(named.held[0].path == "traffic.t.window");
}

TEST_CASE("scope: targets that say nothing of speed leave alone what only costs time") {
    const std::string sends = R"("t": {"from": "A", "to": "B", "credits": false})";
    const Wanted no_rnr{false, false, false, true};
    CHECK(names_of(dimensions_of(scenario(R"("A": {}, "B": {})", sends), no_rnr)) ==
          std::vector<std::string>{"B RQ", "B CQ", "A CQ"});
    // A sender that knows of every receive never finds none.
    CHECK(names_of(dimensions_of(scenario(R"("A": {}, "B": {})", R"("t": {"from": "A", "to": "B"})"), no_rnr)) ==
          std::vector<std::string>{"B CQ", "A CQ"});
}

TEST_CASE("scope: without a rate to reach, send queues hold what the windows ask for") {
    const Scenario s = scenario(R"("A": {}, "B": {})", R"("t": {"from": "A", "to": "B", "operation": "write",
                                                               "window": 9, "queue_pairs": 2})");
    CHECK(dimensions_of(s, {false, false, true, false}).all.front().low == 5);  // of each of two queue pairs
    CHECK(dimensions_of(s, {false, true, true, false}).all.front().low == 1);
}

TEST_CASE("scope: in an open loop latencies count what waits for the send queue") {
    const Scenario s = scenario(R"("A": {}, "B": {})", R"("t": {"from": "A", "to": "B", "operation": "write",
                                                               "window": 9, "arrivals": "fixed", "interval": "2 us"})");
    CHECK(dimensions_of(s, {false, false, true, false}).all.front().low == 1);
}

TEST_CASE("scope: without a rate to reach, a sender with credits finds receives for its window") {
    const auto least = [](const std::string& credits, const Wanted& wanted) {
        const Scenario s = scenario(R"("A": {}, "B": {})", R"("t": {"from": "A", "to": "B", "window": 16,
                                                                   "credits": )" +
                                                               credits + "}");
        const Dimensions dimensions = dimensions_of(s, wanted);
        return std::ranges::find(dimensions.all, "B RQ", &Dimension::name)->low;
    };
    CHECK(least("true", {false, false, true, false}) == 16);
    CHECK(least("true", {false, true, true, false}) == 1);
    CHECK(least("false", {false, false, true, false}) == 1);  // a refused message is sent again, in its own time
}

TEST_CASE("scope: other depths can be named, sizes go in steps") {
    const Scenario s =
        scenario(R"("A": {}, "B": {"nic": {"rx_buffer": "256 KiB"}})", R"("t": {"from": "A", "to": "B"})");
    const Scope scope({{"hosts.B.nic.rx_buffer", "256 KiB", Origin::file},
                       {"hosts.B.nic.rq_fetch_batch", "4", Origin::preset},
                       {"hosts.B.nic.rnr_timer", "12", Origin::preset},
                       {"hosts.B.nic.pause", "true", Origin::preset}},
                      {}, {"rx_buffer", "rq_fetch_batch", "rnr_timer"});
    const Dimensions dimensions = dimensions_of(s, {}, scope);
    const auto named = [&](const std::string& name) {
        return *std::ranges::find(dimensions.all, name, &Dimension::name);
    };
    // 64 steps up to 256 KiB are 4 KiB each; sixteen times as much is generous: 1024 of them. 16 KiB at least: 4.
    const Dimension buffer = named("B nic.rx_buffer");
    CHECK(buffer.low == 4);
    CHECK(buffer.own == 64);
    CHECK(buffer.generous == 1024);
    CHECK(overrides_of(buffer, 10) == std::vector<std::string>{"hosts.B.nic.rx_buffer=40 KiB"});
    CHECK(text_of(buffer, 10) == "40 KiB");
    CHECK(named("B nic.rq_fetch_batch").low == 1);
    // A code of a longer time is no more generous.
    CHECK(named("B nic.rnr_timer").generous == s.hosts[1].node.nic.queues.rnr_timer);
    CHECK_THROWS_AS(dimensions_of(s, {}, Scope({{"hosts.B.nic.pause", "true", Origin::preset}}, {}, {"nic.pause"})),
                    cli::UsageError);
}

TEST_CASE("scope: what the scenario has is no limit to a depth that is named") {
    const Scenario s = scenario(R"("A": {"pcie": {"tags": 64}}, "B": {})", R"("t": {"from": "A", "to": "B"})");
    const std::vector<Setting> settings{{"hosts.A.pcie.tags", "64", Origin::file}};
    CHECK(std::ranges::count(names_of(dimensions_of(s, {}, Scope(settings, {}, {}))), "A read tags") == 0);
    const Dimensions named = dimensions_of(s, {}, Scope(settings, {}, {"pcie.tags"}));
    CHECK(std::ranges::find(named.all, "A read tags", &Dimension::name)->generous == 16 * 64);
}

TEST_CASE("scope: hosts that are alike have the same depths") {
    const Scenario s = load_scenario("f", R"({"switches": {"s0": {}},
        "hosts": {"S1": {}, "S2": {}, "S3": {"nic": {"tx_fifo": "32 KiB"}}, "R": {}},
        "traffic": {"t1": {"from": "S1", "to": "R.q1", "operation": "write", "size": "4 KiB"},
                    "t2": {"from": "S2", "to": "R.q2", "operation": "write", "size": "4 KiB"},
                    "t3": {"from": "S3", "to": "R.q3", "operation": "write", "size": "4 KiB"}}})");
    const Dimensions found = dimensions_of(s, {true, true, true, false});
    const Dimension& queue = found.all.front();
    CHECK(queue.name == "S1 .. S2 SQ");
    CHECK(overrides_of(queue, 9) == std::vector<std::string>{"hosts.S1.nic.sq.depth=9", "traffic.t1.window=9",
                                                             "hosts.S2.nic.sq.depth=9", "traffic.t2.window=9"});
    CHECK(queue.host_bytes == 2 * 64);
    CHECK(queue.payload == 2 * 4096);
    const auto tags = std::ranges::find(found.all, "S1 .. S2 read tags", &Dimension::name);
    REQUIRE(tags != found.all.end());
    CHECK(tags->chip_bytes == 2 * 512);  // MRRS of preset B, at both
    CHECK(tags->payload == 2 * 512);
    CHECK(std::ranges::count(names_of(found), "S3 SQ") == 1);
}

TEST_CASE("cost: memory in the NIC comes first, unless there are weights") {
    Dimensions found =
        dimensions_of(scenario(R"("A": {}, "B": {})", R"("t": {"from": "A", "to": "B", "operation": "write"})"),
                      {true, true, true, false});
    REQUIRE(names_of(found) == std::vector<std::string>{"A SQ", "A CQ", "A read tags", "A WQE cache"});
    // 3 slots and 5 entries of 64 B in the host, 2 tags of 512 B and 16 WQEs of 64 B in the NIC.
    CHECK(cost_of(found.all, {3, 5, 2, 16}) == std::pair<std::uint64_t, std::uint64_t>{2 * 512 + 16 * 64, 8 * 64});
    give_weights(found.all, {"sq.depth=7", "hosts.A.pcie.tags=10"});
    CHECK(cost_of(found.all, {3, 5, 2, 16}).first == 3 * 7 + 2 * 10);
    CHECK_THROWS_AS(give_weights(found.all, {"pcie.tags"}), cli::UsageError);
    CHECK_THROWS_AS(give_weights(found.all, {"pcie.tags="}), cli::UsageError);
    CHECK_THROWS_AS(give_weights(found.all, {"nic.rq.depth=4"}), cli::UsageError);
}

TEST_CASE("safe depth: a completion for all that may be outstanding on the queues that complete there") {
    // Two senders on one queue: a window of 20, and 128 slots for a window of 200; their receives are elsewhere.
    const Scenario shared =
        scenario(R"("A": {"cqs": {"s": {}}, "qps": {"q0": {"send_cq": "s"}, "q1": {"send_cq": "s"}}},
                                        "B": {})",
                 R"("t": {"from": "A.q0", "to": "B.q0", "window": 20},
                                        "u": {"from": "A.q1", "to": "B.q1", "window": 200, "operation": "write"})");
    CHECK(most_completions(shared, shared.hosts[0], "s") == 20 + 128);
    // Preset B's 512 receives; a Write takes none.
    CHECK(most_completions(shared, shared.hosts[1], "q0.receive") == 512);
    CHECK(most_completions(shared, shared.hosts[1], "q1.receive") == 0);
    // Both queue pairs of a generator complete on the first one's queue: 2 x 128 slots, and a window of 300 or 150.
    for (const auto& [window, most] : {std::pair("300", 256U), std::pair("150", 150U)}) {
        const Scenario several = scenario(R"("A": {}, "B": {})",
                                          R"("t": {"from": "A", "to": "B", "operation": "write", "queue_pairs": 2,
                                                   "window": )" +
                                              std::string(window) + "}");
        CHECK(most_completions(several, several.hosts[0], several.hosts[0].qps[0].send_cq) == most);
    }
    // Receives that the scenario counts.
    const Scenario counted = scenario(R"("A": {}, "B": {})", R"("t": {"from": "A", "to": "B", "receives": 40})");
    CHECK(most_completions(counted, counted.hosts[1], "q0.receive") == 40);
}

}  // namespace ndsim::advise::scope_test
