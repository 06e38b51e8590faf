// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::credits_test {

// One receive, which the message must not overtake. B's doorbells take 135 ns and 4 x 115 ns of a PCIe switch on their
// way, or wait to be decoded; an inline Send of A's is there after some 600 ns.
TEST_CASE("credits: no message overtakes its receive, however long the doorbell takes") {
    for (const char* slow : {"hosts.B.pcie.switch_hops=4", "hosts.B.pcie.one_way=1 us",
                             "hosts.B.nic.doorbell_decode=900 ns", "hosts.B.nic.rq_doorbell=record"}) {
        INFO(slow);
        const ChildResult run = run_text(R"({
            "hosts": {"A": {"preset": "D"}, "B": {}},
            "traffic": {"t": {"from": "A", "to": "B", "size": "8 B", "inline": true, "count": 500, "receives": 1}}})",
                                         {slow});
        CHECK(run.outcome == RunOutcome::finished);
        CHECK(run.metric("traffic.t.messages") == 500);
        CHECK(run.metric("B.nic.responder.rnr_naks") == 0);
    }
}

// Three receivers ring for 512 receives each during set-up, faster than the NIC decodes.
TEST_CASE("credits: the receives of set-up count when the NIC knows of them") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {}, "B": {"nic": {"doorbell_decode": "900 ns"}}},
        "traffic": {"t0": {"from": "A.q0", "to": "B.q0", "size": "8 B", "inline": true, "count": 600},
                    "t1": {"from": "A.q1", "to": "B.q1", "size": "8 B", "inline": true, "count": 600},
                    "t2": {"from": "A.q2", "to": "B.q2", "size": "8 B", "inline": true, "count": 600}}})");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("B.nic.responder.rnr_naks") == 0);
}

// More queue pairs of a host than have watches of their own. Each has two receives at a time for 20 messages, four of
// which its sender wants to have under way.
TEST_CASE("credits: each of many queue pairs has its own") {
    std::string traffic;
    for (int i = 0; i < 70; ++i) {
        const std::string n = std::to_string(i);
        traffic += (i > 0 ? R"(, "t)" : R"("t)") + n + R"(": {"from": "A.q)" + n + R"(", "to": "B.q)" + n +
                   R"(", "size": "1 KiB", "count": 20, "window": 4, "receives": 2})";
    }
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {)" + traffic + "}}");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("B.nic.responder.rnr_naks") == 0);
    for (const char* generator : {"t0", "t34", "t69"}) {
        CHECK(run.metric(std::string("traffic.") + generator + ".messages") == 20);
    }
}

}  // namespace ndsim::test::credits_test
