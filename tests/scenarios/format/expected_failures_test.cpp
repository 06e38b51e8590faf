// SPDX-License-Identifier: Apache-2.0

#include "scenarios/format/expected_failures.hpp"
#include "tests/scenarios/format/support.hpp"

// What makes the end of a connection by an error no surprise.

namespace ndsim::test::expected_failures_test {

// Two queue pairs; a program of A posts a Send "s" on q0 and three "t" on q1, in a loop that runs once.
bool is_expected(const std::string& expectation, const std::string& qp) {
    const std::string text = two_hosts(R"("buffers": {"m": {"size": "64 B"}}, "qps": {"q0": {}, "q1": {}})",
                                       R"("qps": {"q0": {}, "q1": {}})",
                                       R"("programs": {"A": [{"post": "send", "buffer": "m", "as": "s"},
                      {"repeat": 1, "do": [{"post": "send", "qp": "q1", "buffer": "m", "count": 3, "as": "t"}]}]},
                      "expect": [)" + expectation +
                                           "]");
    return ExpectedFailures(load_scenario("f", text)).of(endpoint_of(qp));
}

TEST_CASE("expected failures: a status that is not success, on the queue pair of its request") {
    CHECK(is_expected(R"({"completion": "A.s", "status": "io_timeout"})", "A.q0"));
    CHECK_FALSE(is_expected(R"({"completion": "A.s", "status": "io_timeout"})", "A.q1"));
    CHECK(is_expected(R"({"completion": "A.t[2]", "status": "cancelled"})", "A.q1"));
    CHECK(is_expected(R"({"completion": "A.t", "status": "cancelled"})", "A.q1"));
    CHECK_FALSE(is_expected(R"({"completion": "A.s", "status": "success"})", "A.q0"));
    CHECK_FALSE(is_expected(R"({"completion": "A.s", "within": "1 us"})", "A.q0"));
}

TEST_CASE("expected failures: a shared receive may be that of any queue pair that shares") {
    const ExpectedFailures expected(load_scenario(
        "f", two_hosts(R"("qps": {"q0": {}, "q1": {}, "q2": {}})",
                       R"("buffers": {"m": {"size": "64 B"}}, "srqs": {"s": {}},
                          "qps": {"q0": {"srq": "s"}, "q1": {"srq": "s"}, "q2": {}})",
                       R"("programs": {"B": [{"post": "srq_receive", "srq": "s", "buffer": "m", "as": "r"}]},
                          "expect": [{"completion": "B.r", "status": "buffer_overflow"}])")));
    CHECK(expected.of({"B", "q0"}));
    CHECK(expected.of({"B", "q1"}));
    CHECK_FALSE(expected.of({"B", "q2"}));
}

TEST_CASE("expected failures: at least one of a host's or of a generator's") {
    CHECK(is_expected(R"({"metric": "B.nic.cq.overruns", "at_least": 1})", "B.q1"));
    CHECK_FALSE(is_expected(R"({"metric": "B.nic.cq.overruns", "at_least": 1})", "A.q1"));
    CHECK_FALSE(is_expected(R"({"metric": "B.nic.cq.overruns", "at_most": 1})", "B.q1"));
    CHECK_FALSE(is_expected(R"({"metric": "B.nic.cq.polls", "at_least": 1})", "B.q1"));
    const std::string traffic =
        R"("traffic": {"t": {"from": "A.q0", "to": "B.q0", "operation": "write", "queue_pairs": 2}},
                                   "expect": [{"metric": "traffic.t.failed", "at_least": 1}])";
    const ExpectedFailures expected(load_scenario("f", two_hosts("", "", traffic)));
    CHECK(expected.of({"A", "q0"}));
    CHECK(expected.of({"A", "q0_1"}));
    CHECK_FALSE(expected.of({"B", "q0"}));  // one end is enough
}

}  // namespace ndsim::test::expected_failures_test
