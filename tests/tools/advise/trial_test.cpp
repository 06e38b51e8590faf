// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/trial.hpp"

#include "scenarios/format/load.hpp"
#include "tests/support/catch.hpp"
#include "tools/advise/advice_text.hpp"
#include "tools/advise/trial_text.hpp"

namespace ndsim::advise::trial_test {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kG = 1'000'000'000;

Json rate(std::uint64_t value) {
    return {{"value", value}, {"unit", "bps"}};
}

Trial trial(const std::string& traffic, const Json& metrics) {
    const Scenario scenario = load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {)" + traffic + "}}");
    const Judge judge(scenario, parse_targets("goodput >= 1 Gbps").value.value());
    const Json limit{{"kind", "wire"},      {"what", "l0_A_to_B"}, {"parameter", "links.l0.rate"},
                     {"value", "100 Gbps"}, {"basis", "chosen"},   {"generators", {"traffic t"}},
                     {"binds", true}};
    return trial_of(
        judge,
        {{"exit", 0}, {"outcome", "finished"}, {"why", ""}, {"limits", Json::array({limit})}, {"metrics", metrics}},
        scenario);
}

const std::string kOne = R"("t": {"from": "A.q0", "to": "B.q0"})";
const Dimension kQueue = [] {
    Dimension queue;
    queue.name = "A SQ";
    queue.settings.push_back({"hosts.A.nic.sq.depth"});
    return queue;
}();

TEST_CASE("trial: several generators add up what they got side by side, one alone has its own figure") {
    CHECK(trial(kOne, {{"traffic.t.goodput", rate(90 * kG)}}).goodput_of_all == 90 * kG);
    const Trial both =
        trial(kOne + R"(, "u": {"from": "A.q1", "to": "B.q1"})", {{"traffic.t.goodput", rate(90 * kG)},
                                                                  {"traffic.u.goodput", rate(60 * kG)},
                                                                  {"traffic.t.shared_goodput", rate(49 * kG)},
                                                                  {"traffic.u.shared_goodput", rate(48 * kG)}});
    CHECK(both.goodput_of_all == 97 * kG);
}

// More messages outstanding wait for each other. In an open loop a message that comes when the window is full waits.
TEST_CASE("trial: a window is what bound a latency in an open loop only") {
    const auto limits = [](const std::string& arrivals, const std::string& target) {
        const Scenario scenario = load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {
            "from": "A.q0", "to": "B.q0")" + arrivals + "}}}");
        const Json window{{"kind", "window"}, {"what", "traffic t"}, {"parameter", "traffic.t.window"},
                          {"value", "4"},     {"basis", "chosen"},   {"generators", {"traffic t"}},
                          {"binds", true}};
        const Json metrics{{"traffic.t.goodput", rate(90 * kG)},
                           {"traffic.t.latency.p99", {{"value", 9'000'000}, {"unit", "ps"}}}};
        const Judge judge(scenario, parse_targets(target).value.value());
        return trial_of(judge,
                        {{"exit", 0},
                         {"outcome", "finished"},
                         {"why", ""},
                         {"limits", Json::array({window})},
                         {"metrics", metrics}},
                        scenario)
            .limits.size();
    };
    const std::string open = R"(, "arrivals": "poisson", "interval": "1 us")";
    CHECK(limits("", "p99 < 8 us") == 0);
    CHECK(limits("", "goodput >= 95 Gbps") == 1);
    CHECK(limits("", "p99 < 8 us, goodput >= 95 Gbps") == 1);
    CHECK(limits(open, "p99 < 8 us") == 1);
}

TEST_CASE("trial: a run that a defect has ended says nothing about depths") {
    const Scenario scenario = load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {)" + kOne + "}}");
    const Judge judge(scenario, parse_targets("goodput >= 1 Gbps").value.value());
    CHECK_THROWS_WITH(judge.judge({{"exit", 4}, {"outcome", "failed"}, {"why", "sq: 1 wanted, 0 there"}}),
                      "a run has broken off: sq: 1 wanted, 0 there");
    CHECK(judge.judge({{"exit", 6}, {"outcome", "stalled"}, {"why", "A waits"}}).verdict == Verdict::missed);
}

TEST_CASE("trial: a depth of which more gives more is what bound, whatever else was nearly full") {
    Curve curve;
    for (const auto& [depth, reached] : {std::pair{8U, 90U}, {9U, 96U}, {10U, 98U}, {11U, 98U}}) {
        curve.steps[depth] = trial(kOne, {{"traffic.t.goodput", rate(reached * kG)}});
    }
    name_what_helps(curve, kQueue);
    for (const std::uint64_t depth : {8U, 9U}) {
        const std::vector<advise::Limit>& limits = curve.steps[depth].limits;
        REQUIRE(limits.size() == 2);
        CHECK(limits[0].what == "A SQ");
        CHECK(limits[0].value == std::to_string(depth));
        CHECK(limits[1].what == "l0_A_to_B");
    }
    CHECK(curve.steps[10].limits.at(0).what == "l0_A_to_B");
    CHECK(curve.steps[11].limits.at(0).what == "l0_A_to_B");
}

// The wire is 92 % busy with 9, and with 10 the target is met. Below the smallest depth that holds the depth is the
// limit, whatever else was busy; above it, and where a queue overran, the run knows best.
TEST_CASE("trial: a depth that is too little by itself is the limit") {
    Curve curve;
    curve.smallest = 10;
    for (const auto& [depth, reached] : {std::pair{9U, 920'000'000U}, {10U, 1'100'000'000U}}) {
        curve.steps[depth] = trial(kOne, {{"traffic.t.goodput", rate(reached)}});
    }
    curve.steps[1] = trial(kOne, {{"A.nic.cq.overruns", {{"value", 1}, {"unit", "count"}}}});
    name_what_is_too_little(curve, kQueue);
    CHECK(curve.steps[9].limits.at(0).what == "A SQ");
    CHECK(curve.steps[9].limits.at(0).value == "9");
    CHECK(curve.steps[9].limits.at(1).what == "l0_A_to_B");
    CHECK(curve.steps[10].limits.at(0).what == "l0_A_to_B");
    CHECK(curve.steps[1].limits.at(0).what == "a CQ of A overran");

    Build build;
    build.least_seen = {10, std::nullopt};
    build.below_least = {trial(kOne, {{"traffic.t.goodput", rate(920'000'000)}}), std::nullopt};
    name_what_is_too_little(build, {kQueue, kQueue});
    CHECK(build.below_least[0]->limits.at(0).what == "A SQ");
    CHECK(build.below_least[0]->limits.at(0).value == "9");
}

// A wire has two directions. t is 10 % short of its target, u 40 % beyond it; so t decides, and the other lane is no
// reason.
TEST_CASE("trial: the limits are those of the generator that decides") {
    const Scenario scenario = load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "traffic": {
        "u": {"from": "B.q1", "to": "A.q1"}, "t": {"from": "A.q0", "to": "B.q0"}}})");
    const auto limit = [](const std::string& what, const Json& generators) {
        return Json{{"kind", "pool"},           {"what", what}, {"parameter", "p"}, {"value", "1"}, {"basis", "chosen"},
                    {"generators", generators}, {"binds", true}};
    };
    const Json result{{"exit", 0},
                      {"outcome", "finished"},
                      {"why", ""},
                      {"limits",
                       {limit("l0_B_to_A", {"traffic u"}), limit("A.nic.dma.tags", {"traffic u", "traffic t"}),
                        limit("B.cpu", Json::array())}},
                      {"metrics", {{"traffic.t.goodput", rate(45 * kG)}, {"traffic.u.goodput", rate(70 * kG)}}}};
    const auto names_with = [&](const std::string& target) {
        std::vector<std::string> names;
        for (const advise::Limit& each :
             trial_of(Judge(scenario, parse_targets(target).value.value()), result, scenario).limits) {
            names.push_back(each.what);
        }
        return names;
    };
    const std::vector<std::string> of_t{"A.nic.dma.tags", "B.cpu"};
    const std::vector<std::string> of_all{"l0_B_to_A", "A.nic.dma.tags", "B.cpu"};
    CHECK(names_with("goodput >= 50 Gbps") == of_t);
    CHECK(names_with("goodput >= 40 Gbps") == of_t);  // met, and t is nearer to it
    CHECK(names_with("traffic.t.goodput >= 40 Gbps") == of_t);
    CHECK(names_with("traffic.u.goodput >= 80 Gbps") == of_all);
    CHECK(names_with("no RNR") == of_all);  // of no generator
}

TEST_CASE("trial: the depth of a queue pair is that of its NIC, and a run that broke off has no rate") {
    CHECK(sets(kQueue, "hosts.A.nic.sq.depth"));
    CHECK(sets(kQueue, "hosts.A.qps.q0.sq.depth"));
    CHECK_FALSE(sets(kQueue, "hosts.A.qps.q0.rq.depth"));
    CHECK_FALSE(sets(kQueue, "hosts.B.qps.q0.sq.depth"));
    const Trial lost =
        trial(kOne, {{"traffic.t.goodput", rate(90 * kG)}, {"traffic.t.messages", {{"value", 7}, {"unit", "count"}}}});
    CHECK(lost.goodput_of_all == 0);
}

TEST_CASE("trial: a completion queue that overran is what ended the run") {
    const Trial overrun = trial(kOne, {{"A.nic.cq.overruns", {{"value", 1}, {"unit", "count"}}}});
    REQUIRE(overrun.limits.size() == 1);
    CHECK(overrun.limits[0].what == "a CQ of A overran");
    CHECK(overrun.limits[0].parameter.empty());
}

TEST_CASE("trial: what is open says in how long a run, and is not said to be too little") {
    Trial open;
    open.judgement = {advise::Verdict::open, 990'000, {"99.0 % of line rate"}, "99.0 % of line rate, wanted more"};
    open.times = 4;
    CHECK(verdict_of(open) == "open");
    CHECK(reached_text(open) == "99.0 % of line rate, not decided in a run 4 times as long, too");
    Advice advice;
    advice.generous = open;
    CHECK(why_not(advice) ==
          "it is open whether any depths are enough: with more than enough of everything it is 99.0 % of line rate, "
          "wanted more, in a run 4 times as long, too");
    advice.generous.times = 1;  // of a file of messages
    CHECK(why_not(advice).ends_with(", in a run that cannot be made longer"));
    advice.generous.judgement.verdict = advise::Verdict::missed;
    CHECK(why_not(advice).starts_with("no depths are enough: "));
    CHECK(reached_text(advice.generous) == "99.0 % of line rate");
}

// Deep send queues fill the buffer of a switch: with 256 a packet is lost.
TEST_CASE("trial: what holds with less than the most is told") {
    Advice advice;
    advice.generous.judgement = {advise::Verdict::missed, 0, {}, "A.nic.completer.timeouts 1"};
    advice.dimensions.all.resize(2);
    advice.dimensions.all[1].name = "A SQ";
    advice.lowered = advise::Lowered{1, 128};
    CHECK(why_not(advice) ==
          "too much is worse: with more than enough of everything it is A.nic.completer.timeouts 1, but A SQ = 128 "
          "holds with more than enough of all else: give it with --hold");
}

}  // namespace ndsim::advise::trial_test
