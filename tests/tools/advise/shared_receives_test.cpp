// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/advise/one_generator.hpp"
#include "tools/advise/safe_depth.hpp"

// Depths of shared receive queues.

namespace ndsim::advise::shared_receives_test {

// Generators t and u from A to two queue pairs of B, which share queue s and one completion queue.
Scenario shared(const std::string& queue, const std::string& t) {
    return load_scenario("f", R"({"hosts": {"A": {"qps": {"q0": {}, "q1": {}}},
        "B": {"srqs": {"s": {)" + queue +
                                  R"(}}, "cqs": {"c": {}},
              "qps": {"q0": {"srq": "s", "receive_cq": "c"}, "q1": {"srq": "s", "receive_cq": "c"}}}},
        "traffic": {"t": {"from": "A.q0", "to": "B.q0")" +
                                  t + R"(}, "u": {"from": "A.q1", "to": "B.q1"}}})");
}

TEST_CASE("dimension: a shared receive queue holds receives for all of its generators") {
    const Scenario scenario = shared("", "");
    const std::vector<Dimension> all = test::dimensions_of(scenario, true);
    const Dimension& queue = test::named(all, "B SRQ");
    CHECK(overrides_of(queue, 9) == std::vector<std::string>{"hosts.B.nic.srq.depth=9"});
    CHECK(queue.low == 2);     // a receive for each generator
    CHECK(queue.own == 1024);  // preset B's
    CHECK(queue.generous >= 1024);
    CHECK(queue.host_bytes == 64);
    // No sender knows of its receives: it holds only as long as software keeps up, whatever the target.
    CHECK(queue.breaks == Break::receives);
    const std::vector<Dimension> no_rnr = dimensions_of(scenario, {false, false, false, true}).all;
    CHECK(test::named(no_rnr, "B SRQ").breaks == Break::receives);
}

// Any number of receives runs out if software stays away, even if the sender tries again without end.
TEST_CASE("dimension: receives are safe if the sender knows of them") {
    const auto breaks = [](const std::string& credits, const std::string& overflow) {
        const Scenario scenario = load_scenario("f", R"({"profile": "infiniband",
            "hosts": {"A": {}, "B": {"nic": {"rnr_retry": 7, "overflow": ")" +
                                                         overflow + R"("}}},
            "traffic": {"t": {"from": "A", "to": "B", "credits": )" +
                                                         credits + "}}}");
        return test::named(test::dimensions_of(scenario, true), "B RQ").breaks;
    };
    CHECK(breaks("false", "rnr") == Break::receives);
    CHECK(breaks("false", "credit") == Break::nothing);
    CHECK(breaks("true", "rnr") == Break::nothing);
}

TEST_CASE("dimension: a shared receive queue holds what is posted whatever its depth, and its threshold") {
    const std::vector<Dimension> all = dimensions_of(shared(R"("threshold": 3)", ""), {}).all;
    CHECK(test::named(all, "B SRQ").low == 3);
}

TEST_CASE("safe depth: a completion for each receive of a shared queue, wherever it completes") {
    const Scenario scenario = shared(R"("depth": 40)", R"(, "receives": 30)");
    CHECK(most_completions(scenario, scenario.hosts[1], "c") == 40);
}

}  // namespace ndsim::advise::shared_receives_test
