// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// What becomes of doorbells that find the FIFO full, in whole runs: nothing is lost, whatever the policy.

namespace ndsim::test::doorbell_test {

std::string writes() {
    return R"({"hosts": {"A": {}, "B": {}},
               "traffic": {"t": {"from": "A", "to": "B", "operation": "write", "size": "64 B", "count": 2000,
                                 "window": 128, "queue_pairs": 32}}})";
}

// A decoder that is slower than a core that posts.
std::vector<std::string> slow(const std::string& policy, const std::string& fifo) {
    return {"nic.doorbell_policy=" + policy, "nic.doorbell_fifo=" + fifo, "nic.doorbell_decode=500 ns"};
}

TEST_CASE("doorbells: with the smallest FIFOs and many queue pairs, no policy loses work") {
    for (const std::string policy : {"backpressure", "coalesce", "drop_recover"}) {
        for (const std::string fifo : {"1", "4"}) {
            INFO(policy << " with a FIFO of " << fifo);
            const ChildResult run = run_text(writes(), slow(policy, fifo));
            INFO(run.why);
            REQUIRE(run.ended);
            CHECK(run.outcome == RunOutcome::finished);
            CHECK(run.metric("traffic.t.messages") == 2000);
            CHECK(run.metric("traffic.t.failed") == 0);
            CHECK(run.metric("A.nic.wqe.messages") == 2000);
            CHECK(run.metric("A.nic.doorbell.fifo_full") > 0);
            // What waits in a FIFO of one is being decoded, so nothing can be merged with it.
            CHECK((run.metric("A.nic.doorbell.coalesced") > 0) == (policy == "coalesce" && fifo == "4"));
            CHECK((run.metric("A.nic.doorbell.dropped") > 0) == (policy == "drop_recover"));
            CHECK((run.metric("A.nic.doorbell.recoveries") > 0) == (policy == "drop_recover"));
        }
    }
}

// A Write is a store, and each is decoded for 500 ns: 2 million a second. Four queue pairs in turns ring again before
// the FIFO of 16 has passed, so most of their doorbells are merged.
TEST_CASE("doorbells: a slow decoder bounds the rate, unless doorbells are merged or dropped") {
    const auto rate = [](const char* policy) {
        std::vector<std::string> overrides = slow(policy, "16");
        overrides.emplace_back("traffic.t.queue_pairs=4");
        return run_text(writes(), overrides).metric("traffic.t.message_rate");
    };
    const std::uint64_t waiting = rate("backpressure");
    CHECK(waiting <= 2'000'000);
    CHECK(rate("coalesce") > 2 * waiting);
    CHECK(rate("drop_recover") > 2 * waiting);
}

// Of a receive whose doorbell was dropped the NIC does not know until it is found; until then its Sends are told to
// wait.
TEST_CASE("doorbells: receives whose doorbells were dropped are found") {
    std::vector<std::string> overrides = slow("drop_recover", "1");
    overrides.emplace_back("nic.overflow=rnr");
    overrides.emplace_back("nic.rnr_retry=7");
    const ChildResult run = finish_text(R"({"hosts": {"A": {}, "B": {}},
        "traffic": {"t": {"from": "A", "to": "B", "size": "64 B", "count": 500, "window": 32}}})",
                                        overrides);
    CHECK(run.metric("traffic.t.messages") == 500);
    CHECK(run.metric("B.nic.doorbell.dropped") > 0);
}

TEST_CASE("doorbells: arms that were dropped are found, and raise one interrupt each") {
    const ChildResult run = run_file("scenarios/library/interrupt-moderation.json", slow("drop_recover", "1"));
    INFO(run.why);
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.unmet.empty());
    CHECK(run.metric("B.nic.doorbell.dropped") > 0);
}

TEST_CASE("doorbells: receives of a shared queue whose doorbells were dropped are found") {
    const ChildResult run = run_file("scenarios/library/srq-threshold.json", slow("drop_recover", "1"));
    INFO(run.why);
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("B.nic.doorbell.dropped") > 0);
}

// The receives are flushed when the NIC has found them, and the disconnect ends behind that: the polls find all eight
// at once, 60 ns each.
TEST_CASE("doorbells: a disconnect waits for receives whose doorbells were dropped") {
    std::vector<std::string> overrides = slow("drop_recover", "1");
    overrides.emplace_back("nic.doorbell_recovery=50 us");
    const ChildResult run = finish_text(R"({
        "hosts": {"A": {}, "B": {"buffers": {"rx": {"size": "64 B"}}}},
        "programs": {"A": [{"wait": "q0.disconnect"}, {"disconnect": "q0"}],
                     "B": [{"post": "receive", "buffer": "rx", "count": 8, "as": "r"}, {"disconnect": "q0"},
                           {"time": "polls", "do": [{"poll": "q0.receive", "count": 8}]}]},
        "expect": [{"completion": "B.r[7]", "status": "cancelled"}]})",
                                        overrides);
    CHECK(run.metric("B.nic.doorbell.dropped") > 0);
    CHECK(run.metric("programs.B.polls.max") == 480'000);
}

}  // namespace ndsim::test::doorbell_test
