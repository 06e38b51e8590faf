// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/growth.hpp"

#include <nlohmann/json.hpp>

#include "tests/tools/advise/one_generator.hpp"
#include "tools/advise/judge.hpp"
#include "tools/advise/run_length.hpp"

namespace ndsim::advise::growth_test {

using Json = nlohmann::ordered_json;

using test::scenario;

// A run in which `polled` of 100 Gb/s that arrive are polled.
Json metrics(std::uint64_t steady, std::uint64_t polled) {
    return {{"traffic.t.goodput", {{"value", 100'000'000'000U}, {"unit", "bps"}}},
            {"traffic.t.polled", {{"value", polled}, {"unit", "bps"}}},
            {"traffic.t.steady", {{"value", steady}, {"unit", "count"}}}};
}

Judgement judge(const Scenario& of, const Json& metrics, Longer longer) {
    const Json result{{"exit", 0}, {"outcome", "finished"}, {"why", ""}, {"metrics", metrics}};
    return Judge(of, parse_targets("goodput >= 1 Gbps").value.value()).judge(result, longer);
}

const char* const kOpenLoop = R"("size": "4 KiB", "arrivals": "poisson")";

TEST_CASE("growth: polls of less than 98 % of what arrives, if the generator is not steady") {
    const Scenario closed = scenario(R"("size": "4 KiB")");
    const auto grows = growth_in(closed, metrics(0, 97'900'000'000));
    REQUIRE(grows);
    CHECK(grows->is_of_unpolled);
    CHECK(grows->why == "traffic.t.polled 97.9 Gbps of 100 Gbps that arrive");
    CHECK_FALSE(growth_in(closed, metrics(0, 98'000'000'000)));  // the halves differ, which intervals tell
    CHECK_FALSE(growth_in(closed, metrics(1, 50'000'000'000)));
    CHECK_FALSE(growth_in(closed, Json::object()));
}

TEST_CASE("growth: the latencies of an open loop") {
    const auto grows = growth_in(scenario(kOpenLoop), metrics(0, 100'000'000'000));
    REQUIRE(grows);
    CHECK_FALSE(grows->is_of_unpolled);
    CHECK_FALSE(growth_in(scenario(kOpenLoop), metrics(1, 100'000'000'000)));
}

TEST_CASE("judge: latencies that grow are open until a longer run was asked") {
    const Json grown = metrics(0, 100'000'000'000);
    CHECK(judge(scenario(kOpenLoop), grown, Longer::possible).verdict == Verdict::open);
    CHECK(judge(scenario(kOpenLoop), grown, Longer::impossible).verdict == Verdict::missed);
}

// The wait after an RNR NAK makes the latencies grow, and the NAK is what the target forbids.
TEST_CASE("judge: what must not happen is the reason of a miss, also if latencies grow") {
    const Scenario open = scenario(kOpenLoop);
    Json grown = metrics(0, 100'000'000'000);
    const auto reason = [&open](const Json& of) {
        const Json result{{"exit", 0}, {"outcome", "finished"}, {"why", ""}, {"metrics", of}};
        return Judge(open, parse_targets("no RNR").value.value()).judge(result).why;
    };
    grown["A.nic.responder.rnr_naks"] = {{"value", 0}, {"unit", "count"}};
    grown["B.nic.responder.rnr_naks"] = {{"value", 0}, {"unit", "count"}};
    CHECK_THAT(reason(grown), Catch::Matchers::ContainsSubstring("arrive faster than they are served"));
    grown["B.nic.responder.rnr_naks"]["value"] = 15;
    CHECK(reason(grown) == "B.nic.responder.rnr_naks 15, wanted no RNR");
}

// How long the receives posted ahead last does not tell whether the target is met without them.
TEST_CASE("judge: polls that fall behind leave it open") {
    const Json behind = metrics(0, 50'000'000'000);
    for (const Longer longer : {Longer::possible, Longer::impossible}) {
        const Judgement judgement = judge(scenario(R"("size": "4 KiB")"), behind, longer);
        CHECK(judgement.verdict == Verdict::open);
        CHECK(judgement.is_behind);
    }
}

// 50 times what may wait for polls: all receives of Sends, the window of other generators.
TEST_CASE("run length: of one that lasts") {
    // The default receive queue of 512: 25,600 messages are 25.6 times 1000.
    CHECK(lasting_times(scenario(R"("size": "4 KiB", "count": 1000)"), {}) == 26);
    CHECK(lasting_times(scenario(R"("size": "4 KiB", "count": 1000, "receives": 100)"), {}) == 5);
    CHECK(lasting_times(scenario(R"("size": "4 KiB", "count": 1000, "operation": "write", "window": 40)"), {}) == 2);
    CHECK(lasting_times(scenario(R"("size": "4 KiB", "count": 100000)"), {}) == 1);
    // Of 1000 messages 500 are measured.
    CHECK(lasting_times(load_scenario("f", R"({"hosts": {"A": {}, "B": {}}, "measure": {"window": 500}, "traffic": {
        "t": {"from": "A", "to": "B", "count": 1000, "receives": 100}}})"),
                        {}) == 10);
    // Those of a shared queue that the generator posts ahead.
    CHECK(lasting_times(load_scenario("f", R"({"hosts": {"A": {}, "B": {"srqs": {"s": {"depth": 200}}, "qps": {
        "q0": {"srq": "s"}, "q1": {"srq": "s"}}}}, "traffic": {
        "t": {"from": "A", "to": "B", "count": 1000}, "u": {"from": "A.q1", "to": "B.q1", "count": 1000}}})"),
                        {}) == 5);
}

}  // namespace ndsim::advise::growth_test
