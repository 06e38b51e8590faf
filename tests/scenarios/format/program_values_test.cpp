// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::program_values_test {

TEST_CASE("programs: lists of operations, by host") {
    CHECK(refusal(two_hosts("", "", R"("programs": [])")) == "f:3:13: programs: expected an object, got a list");
    CHECK(refusal(two_hosts("", "", R"("programs": {"A": {}})")) ==
          "f:3:19: programs.A: expected a list of operations, got an object");
    CHECK(refusal(two_hosts("", "", R"("programs": {"C": []})")) ==
          "f:3:19: programs.C: there is no host \"C\" (known are A, B)");
}

TEST_CASE("program: an operation has the key that says which one it is") {
    CHECK(
        refusal(program("5")) ==
        "f:4:1: programs.A[0]: expected an operation, got 5 (an operation is one of post, poll, arm, wait, "
        "spin, moderate, resize, modify_srq, connect, listen, accept, reject, disconnect, flush, sleep, repeat, time)");
    CHECK(refusal(program("{}")) ==
          "f:4:1: programs.A[0]: an operation needs one of the keys post, poll, arm, wait, spin, moderate, resize, "
          "modify_srq, connect, listen, accept, reject, disconnect, flush, sleep, repeat, time");
    CHECK(refusal(program(R"({"pots": "send"})")) ==
          "f:4:1: programs.A[0]: an operation needs one of the keys post, poll, arm, wait, spin, moderate, resize, "
          "modify_srq, connect, listen, accept, reject, disconnect, flush, sleep, repeat, time (did you mean \"post\" "
          "by \"pots\"?)");
}

TEST_CASE("program: what a disconnect may be") {
    const auto refused = [](const std::string& op) {
        return refusal(two_hosts(R"("qps": {"q0": {}})", R"("qps": {"q0": {}})", R"("programs": {"A": [)" + op + "]}"));
    };
    CHECK_THAT(refused(R"({"disconnect": "q7"})"),
               Catch::Matchers::ContainsSubstring(
                   "programs.A[0].disconnect: there is no queue pair \"q7\" on host A (known are q0)"));
    CHECK_THAT(refused(R"({"disconnect": "q0", "count": 2})"),
               Catch::Matchers::ContainsSubstring("programs.A[0]: unknown key \"count\" (known are disconnect, as)"));
    CHECK_THAT(refused(R"({"wait": "q7.disconnect"})"),
               Catch::Matchers::ContainsSubstring("programs.A[0].wait: there is no"));
    CHECK_THAT(refused(R"({"repeat": 2, "do": [{"disconnect": "q0", "as": "bye"}]})"),
               Catch::Matchers::ContainsSubstring("a request that is repeated cannot have a label"));
}

TEST_CASE("program: what steps of a connection may be") {
    const auto refused = [](const std::string& op) {
        return refusal(two_hosts(R"("qps": {"q0": {}})", R"("qps": {"q0": {}})", R"("programs": {"A": [)" + op + "]}"));
    };
    for (const std::string verb : {"connect", "listen", "accept", "reject", "flush"}) {
        INFO(verb);
        CHECK_THAT(refused("{\"" + verb + R"(": "q7"})"),
                   Catch::Matchers::ContainsSubstring("programs.A[0]." + verb +
                                                      ": there is no queue pair \"q7\" on host A (known are q0)"));
    }
    CHECK_THAT(refused(R"({"flush": "q0", "as": "f"})"),
               Catch::Matchers::ContainsSubstring("programs.A[0]: unknown key \"as\" (known are flush)"));
    CHECK_THAT(refused(R"({"repeat": 2, "do": [{"connect": "q0", "as": "c"}]})"),
               Catch::Matchers::ContainsSubstring("a request that is repeated cannot have a label"));
}

TEST_CASE("program: what is connected by a program, set-up leaves alone") {
    const Scenario scenario =
        load(two_hosts(R"("qps": {"q0": {}, "q1": {}, "q2": {}})", R"("qps": {"q0": {}, "q1": {}, "q2": {}})",
                       R"("programs": {"A": [{"repeat": 2, "do": [{"connect": "q0"}]}, {"connect": "q1"}],
                                                  "B": [{"listen": "q1"}, {"flush": "q2"}]})"));
    CHECK(scenario.hosts[0].qps[0].by_programs);
    CHECK(scenario.hosts[0].qps[1].by_programs);
    CHECK_FALSE(scenario.hosts[0].qps[2].by_programs);
}

TEST_CASE("program: nobody can accept whom nobody connects") {
    for (const std::string verb : {"listen", "accept", "reject"}) {
        INFO(verb);
        CHECK_THAT(
            refusal(two_hosts("", "", R"("programs": {"A": [{")" + verb + R"(": "q0"}], "B": [{"flush": "q0"}]})")),
            Catch::Matchers::ContainsSubstring("programs.A[0]." + verb +
                                               ": nothing connects: the program of the peer, B.q0, has no connect"));
    }
}

TEST_CASE("program: a queue pair that traffic drives is not connected by a program") {
    CHECK_THAT(refusal(two_hosts("", "", R"("programs": {"A": [{"connect": "q0"}]},
                                           "traffic": {"t": {"from": "A", "to": "B"}})")),
               Catch::Matchers::ContainsSubstring(
                   "programs.A[0].connect: traffic t drives q0 of host A, so a program cannot"));
}

TEST_CASE("program: what a post may be") {
    CHECK(refusal(program(R"({"post": "atomic"})")) ==
          "f:4:10: programs.A[0].post: expected one of \"send\", \"receive\", \"write\", \"read\", "
          "\"send_and_invalidate\", \"bind\", \"fast_register\", \"invalidate\", \"srq_receive\", got \"atomic\"");
    CHECK(refusal(program(R"({"post": "send", "bufer": "tx"})")) ==
          "f:4:18: programs.A[0]: unknown key \"bufer\"; did you mean \"buffer\"?");
    CHECK(refusal(program(R"({"post": "send", "buffer": "rx"})")) ==
          "f:4:28: programs.A[0].buffer: there is no buffer \"rx\" on host A (known are tx)");
    CHECK(refusal(program(R"({"post": "send", "size": "4 B"})")) ==
          "f:4:26: programs.A[0].size: there is no \"buffer\" (without one the message has no bytes)");
    CHECK(refusal(program(R"({"post": "send", "buffer": "tx", "sgl": []})")) ==
          "f:4:28: programs.A[0].buffer: each entry of \"sgl\" sets this itself");
    CHECK(refusal(program(R"({"post": "send", "sgl": [{"size": "4 B"}]})")) ==
          "f:4:26: programs.A[0].sgl[0]: \"buffer\" is missing (the buffer, or fast-register region)");
    CHECK(refusal(program(R"({"post": "send", "as": "s 1"})")) ==
          "f:4:24: programs.A[0].as: \"s 1\" is not a valid name (a name is a letter, then letters, digits and _, at "
          "most 64 characters)");
    CHECK(refusal(program(R"({"post": "send", "count": 0})")) ==
          "f:4:27: programs.A[0].count: expected 1 .. 65536, got 0");
}

TEST_CASE("program: where a write may go") {
    CHECK(refusal(program(R"({"post": "write"})")) ==
          "f:4:1: programs.A[0]: a write needs a target (\"to\" names it: \"HOST.BUFFER\" of the peer)");
    CHECK(refusal(program(R"({"post": "send", "to": "B.rx"})")) ==
          "f:4:24: programs.A[0].to: only a write has a target");
    CHECK(refusal(program(R"({"post": "write", "to": "B.none"})")) ==
          "f:4:25: programs.A[0].to: there is no buffer or memory object \"B.none\" (there is none at all)");
    CHECK(refusal(program(R"({"post": "write", "to": "A.tx"})")) ==
          "f:4:25: programs.A[0].to: queue pair q0 is connected to B.q0, not to host A");
}

TEST_CASE("program: flags of a send") {
    CHECK(refusal(program(R"({"post": "send", "flags": ["inlined"]})")) ==
          "f:4:28: programs.A[0].flags[0]: expected one of \"inline\", \"silent_success\", \"solicit\", \"defer\", "
          "\"read_fence\", \"local_invalidate\", got \"inlined\" (did you mean \"inline\"?)");
    CHECK(refusal(program(R"({"post": "send", "flags": ["inline", "inline"]})")) ==
          "f:4:38: programs.A[0].flags[1]: \"inline\" appears twice");
    CHECK(refusal(program(R"({"post": "receive", "flags": ["solicit"]})")) ==
          "f:4:30: programs.A[0].flags: a receive has no flags");
}

TEST_CASE("program: completion queues that are polled, armed and waited for") {
    CHECK(refusal(program(R"({"poll": "q0"})")) ==
          "f:4:10: programs.A[0].poll: there is no completion queue \"q0\" on host A (there is none at all)");
    CHECK(refusal(program(R"({"post": "send"}, {"poll": "q0.sent"})")) ==
          "f:4:28: programs.A[1].poll: there is no completion queue \"q0.sent\" on host A; did you mean \"q0.send\"?");
    CHECK(refusal(program(R"({"arm": "q0.send", "for": "all"})")) ==
          "f:4:27: programs.A[0].for: expected one of \"errors\", \"any\", \"solicited\", got \"all\"");
    CHECK(refusal(program(R"({"wait": 5})")) == "f:4:10: programs.A[0].wait: expected a text in double quotes, got 5");
    CHECK(refusal(program(R"({"poll": "q0.send", "as": "x"})")) ==
          "f:4:21: programs.A[0]: unknown key \"as\" (known are count, poll)");
}

TEST_CASE("program: sleep, repeat and time") {
    CHECK(refusal(program(R"({"sleep": 10})")) ==
          "f:4:11: programs.A[0].sleep: expected a number and a unit, such as \"1 us\", got 10");
    CHECK(refusal(program(R"({"repeat": 5})")) ==
          "f:4:1: programs.A[0]: \"do\" is missing (the operations of a round)");
    CHECK(refusal(program(R"({"repeat": 0, "do": []})")) ==
          "f:4:12: programs.A[0].repeat: expected 1 .. 1000000000000000, got 0");
    CHECK(refusal(program(R"({"time": "x", "do": 5})")) ==
          "f:4:21: programs.A[0].do: expected a list of operations, got 5");
}

TEST_CASE("expectation: it has the key that says which one it is") {
    CHECK(refusal(expect("5")) ==
          "f:5:1: expect[0]: expected an expectation, got 5 (an expectation is one of metric, completion, order, "
          "memory)");
    CHECK(refusal(expect(R"({"status": "success"})")) ==
          "f:5:1: expect[0]: an expectation needs one of the keys metric, completion, order, memory");
    CHECK(refusal(expect(R"({"at_least": 1, "metrics": "run.ended"})")) ==
          "f:5:1: expect[0]: an expectation needs one of the keys metric, completion, order, memory (did you mean "
          "\"metric\" by \"metrics\"?)");
}

TEST_CASE("expectation: bounds of a metric") {
    CHECK(refusal(expect(R"({"metric": "run.ended"})")) ==
          "f:5:1: expect[0]: expected \"at_least\", \"at_most\", or both");
    CHECK(refusal(expect(R"({"metric": "run.ended", "at_least": "5"})")) ==
          "f:5:37: expect[0].at_least: expected a number and a unit, such as \"97 Gbps\", or a whole number for a "
          "count, got \"5\"");
    CHECK(refusal(expect(R"({"metric": "run.ended", "at_least": "0.5 ps"})")) ==
          "f:5:37: expect[0].at_least: \"0.5 ps\" is not a multiple of 1 ps");
    CHECK(refusal(expect(R"({"metric": "run.ended", "at_least": -5})")) ==
          "f:5:37: expect[0].at_least: expected a number and a unit, such as \"97 Gbps\", or a whole number for a "
          "count, got -5");
    CHECK(refusal(expect(R"({"metric": "run.ended", "at_least": "5 us", "at_most": "5 B"})")) ==
          "f:5:56: expect[0].at_most: has another unit than \"at_least\", \"5 us\"");
    CHECK(refusal(expect(R"({"metric": "run.ended", "at_least": "5 us", "at_most": "4 us"})")) ==
          "f:5:56: expect[0].at_most: is less than \"at_least\"");
}

TEST_CASE("expectation: completions, orders and memory") {
    CHECK(refusal(expect(R"({"completion": "A.s", "status": "succes"})")) ==
          "f:5:33: expect[0].status: expected one of \"success\", \"cancelled\", \"access_violation\", "
          "\"buffer_overflow\", \"data_overrun\", \"remote_resources\", \"data_error\", \"io_timeout\", "
          "\"internal_error\", \"invalid_device_request\", \"invalid_device_state\", \"invalid_parameter\", "
          "\"not_supported\", \"no_more_entries\", "
          "\"insufficient_resources\", \"connection_invalid\", \"request_aborted\", "
          "\"connection_refused\", \"connection_reset\", \"connection_aborted\", "
          "\"connection_active\", \"host_unreachable\", got \"succes\" "
          "(did you mean \"success\"?)");
    CHECK(refusal(expect(R"({"completion": "A.s", "completes": false, "bytes": 5})")) ==
          "f:5:36: expect[0].completes: without a completion there is no status, bytes or within");
    CHECK(refusal(expect(R"({"order": "A.s"})")) == "f:5:11: expect[0].order: expected a list, got \"A.s\"");
    CHECK(refusal(expect(R"({"memory": "B.rx"})")) ==
          "f:5:1: expect[0]: \"equals\" is missing (the buffer that it must be equal to)");
}

TEST_CASE("program: what a spin may be on") {
    CHECK(refusal(program(R"({"spin": "rx"})")) ==
          "f:4:10: programs.A[0].spin: there is no buffer \"rx\" on host A (known are tx)");
    CHECK(refusal(program(R"({"spin": "tx", "size": "0 B"})")) ==
          "f:4:10: programs.A[0].spin: the piece has no last byte, as it is empty");
    CHECK(refusal(program(R"({"spin": "tx", "offset": "4 KiB", "size": "1 B"})")) ==
          "f:4:43: programs.A[0].size: 1 B at 4 KiB reach beyond buffer tx of 4 KiB");
}

}  // namespace ndsim::test::program_values_test
