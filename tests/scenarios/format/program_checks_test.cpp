// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::program_checks_test {

TEST_CASE("checks: a request reaches beyond its buffer") {
    CHECK(refusal(program(R"({"post": "send", "buffer": "tx", "offset": "1 KiB", "size": "4 KiB"})")) ==
          "f:4:61: programs.A[0].size: 4 KiB at 1 KiB reach beyond buffer tx of 4 KiB");
    CHECK(refusal(program(R"({"post": "send", "buffer": "tx", "offset": "5 KiB"})")) ==
          "f:4:44: programs.A[0].offset: 0 B at 5 KiB reach beyond buffer tx of 4 KiB");
    CHECK(refusal(program(R"({"post": "send", "buffer": "tx", "size": "1 KiB", "step": "1 KiB", "count": 5})")) ==
          "f:4:42: programs.A[0].size: 1 KiB at 4 KiB reach beyond buffer tx of 4 KiB");
    CHECK(refusal(program(R"({"post": "send", "sgl": [{"buffer": "tx"}, {"buffer": "tx", "size": "5 KiB"}]})")) ==
          "f:4:69: programs.A[0].sgl[1].size: 5 KiB at 0 B reach beyond buffer tx of 4 KiB");
}

TEST_CASE("checks: inline bytes, scatter/gather entries and the size of a message") {
    CHECK(refusal(program(R"({"post": "send", "buffer": "tx", "flags": ["inline"]})")) ==
          "f:4:43: programs.A[0].flags: 4 KiB are more than inline_max of queue pair q0, 220");
    CHECK(
        refusal(program(
            R"({"post": "send", "sgl": [{"buffer": "tx"}, {"buffer": "tx"}, {"buffer": "tx"}, {"buffer": "tx"}, {"buffer": "tx"}]})")) ==
        "f:4:25: programs.A[0].sgl: 5 scatter/gather entries are more than max_sge of queue pair q0, 4");
    CHECK(
        refusal(two_hosts(
            R"("buffers": {"b": {"size": "4 GiB"}})", "",
            R"("programs": {"A": [{"post": "send", "sgl": [{"buffer": "b", "size": "1 GiB"}, {"buffer": "b", "size": "1 B"}]}]})")) ==
        "f:3:44: programs.A[0].sgl: a message has at most 1 GiB, these are 1073741825 B");
}

TEST_CASE("checks: a label names one request") {
    CHECK(refusal(program(R"({"post": "send", "as": "s"}, {"post": "send", "as": "s"})")) ==
          "f:4:53: programs.A[1].as: another request of this program has the label \"s\" already");
    CHECK(refusal(program(R"({"repeat": 2, "do": [{"post": "send", "as": "s"}]})")) ==
          "f:4:45: programs.A[0].do[0].as: a request that is repeated cannot have a label (an expectation would not "
          "know which round is meant)");
}

TEST_CASE("checks: a wait that nothing would end") {
    CHECK(refusal(program(R"({"wait": "q0.send"})")) ==
          "f:4:10: programs.A[0].wait: nothing arms q0.send before this, so nothing would end it (put {\"arm\": "
          "\"q0.send\"} before it)");
    CHECK(refusal(program(R"({"repeat": 2, "do": [{"wait": "q0.send"}, {"arm": "q0.send"}]})")) ==
          "f:4:31: programs.A[0].do[0].wait: nothing arms q0.send before this, so nothing would end it (put {\"arm\": "
          "\"q0.send\"} before it)");
}

TEST_CASE("checks: queue pairs that a program uses") {
    CHECK(refusal(two_hosts(R"("qps": {"q1": {}})", "",
                            R"("programs": {"A": [{"post": "send", "qp": "q1"}, {"post": "send", "qp": "q2"}]})")) ==
          "f:3:73: programs.A[1].qp: there is no queue pair \"q2\" on host A (known are q1)");
    CHECK(refusal(two_hosts(R"("qps": {"q1": {}})", R"("qps": {"q2": {}})",
                            R"("programs": {"A": [{"post": "send", "qp": "q1"}]})")) ==
          "f:3:43: programs.A[0].qp: queue pair A.q1 is not connected (set \"connect\", or give the peer's queue pair "
          "the same name)");
}

TEST_CASE("checks: a program leaves the queues of traffic alone") {
    CHECK(
        refusal(two_hosts(
            "", "",
            R"("traffic": {"t": {"from": "A", "to": "B"}}, "programs": {"A": [{"post": "send"}, {"poll": "q0.receive"}]})")) ==
        "f:3:64: programs.A[0].qp: traffic t drives q0 of host A, so a program cannot\n"
        "f:3:91: programs.A[1].poll: traffic t drives q0.receive of host A, so a program cannot");
}

TEST_CASE("checks: a program's requests do not complete where traffic polls") {
    const std::string traffic = R"("traffic": {"t": {"from": "A.q0", "to": "B.q0"}}, "programs": )";
    const std::string q1 = R"("q1": {"send_cq": "c", "receive_cq": "c"})";
    CHECK(refusal(two_hosts(R"("cqs": {"c": {}}, "qps": {"q0": {"send_cq": "c"}, )" + q1 + "}",
                            R"("qps": {"q0": {}, "q1": {}})", traffic + R"({"A": [{"post": "send", "qp": "q1"}]})")) ==
          "f:3:93: programs.A[0].qp: completions of queue pair q1 come to c, which traffic t polls (give the queue "
          "pair a "
          "completion queue of its own)");
    // Only completions of the generator's Sends come to A's queue; B's has none of them.
    CHECK_THAT(refusal(two_hosts(R"("qps": {"q0": {}, "q1": {}})",
                                 R"("cqs": {"c": {}}, "qps": {"q0": {"receive_cq": "c"}, )" + q1 + "}",
                                 traffic + R"({"B": [{"post": "receive", "qp": "q1"}]})")),
               Catch::Matchers::ContainsSubstring("completions of queue pair q1 come to c"));
    CHECK(refusal(two_hosts(R"("qps": {"q0": {}, "q1": {}})",
                            R"("cqs": {"c": {}}, "qps": {"q0": {"send_cq": "c"}, )" + q1 + "}",
                            traffic + R"({"B": [{"post": "receive", "qp": "q1"}]})"))
              .empty());
}

TEST_CASE("checks: nor do those that take a shared receive") {
    CHECK_THAT(
        refusal(two_hosts(
            R"("qps": {"q0": {}, "q1": {}})",
            R"("cqs": {"c": {}}, "srqs": {"s": {}}, "qps": {"q0": {"receive_cq": "c"}, "q1": {"srq": "s", "receive_cq": "c"}})",
            R"("traffic": {"t": {"from": "A.q0", "to": "B.q0"}}, "programs": {"B": [{"post": "srq_receive", "srq": "s"}]})")),
        Catch::Matchers::ContainsSubstring(
            "programs.B[0].srq: completions of queue pair q1 come to c, which traffic t polls"));
}

}  // namespace ndsim::test::program_checks_test
