// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::srq_test {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;

// B has a buffer, a shared receive queue "s" and a queue pair that uses it, and A its peer.
std::string with_srq(const std::string& srq, const std::string& more = "", const std::string& qp = "") {
    return two_hosts(R"("qps": {"q0": {}})",
                     R"("buffers": {"rx": {"size": "4 KiB"}}, "srqs": {"s": {)" + srq +
                         R"(}}, "qps": {"q0": {"srq": "s")" + qp + "}}",
                     more);
}
std::string program_of_b(const std::string& ops, const std::string& srq = "") {
    return with_srq(srq, "\"programs\": {\"B\": [\n" + ops + "\n]}");
}

TEST_CASE("srq: what it is, and what its queue pairs and requests are") {
    const Scenario scenario = load(program_of_b(
        R"({"post": "srq_receive", "srq": "s", "buffer": "rx", "size": "1 KiB", "step": "1 KiB", "count": 2, "as": "r"},
           {"modify_srq": "s", "depth": 9, "threshold": 2}, {"wait": "s"})",
        R"("depth": 7, "threshold": 3, "max_sge": 1)"));
    const Host& host = scenario.hosts.at(1);
    REQUIRE(host.srqs.size() == 1);
    CHECK(host.srqs[0].name == "s");
    CHECK(host.srqs[0].depth == 7);
    CHECK(host.srqs[0].threshold == 3);
    CHECK(host.srqs[0].max_sge == 1);
    CHECK(host.qps.at(0).srq == "s");
    CHECK(scenario.hosts[0].qps.at(0).srq.empty());
    REQUIRE(host.program);
    const std::vector<Op>& ops = host.program->ops;
    REQUIRE(ops.size() == 4);
    const auto& second = std::get<PostOp>(ops[1].what);
    CHECK(second.kind == PostKind::srq_receive);
    CHECK(second.srq == "s");
    CHECK(second.qp.empty());
    CHECK(second.label == "r[1]");
    CHECK(second.pieces.at(0).offset == 1_KiB);
    const auto& modify = std::get<ModifySrqOp>(ops[2].what);
    CHECK(modify.srq == "s");
    CHECK(modify.depth == 9);
    CHECK(modify.threshold == 2);
    CHECK(std::get<WaitOp>(ops[3].what).srq == "s");
    CHECK(std::get<WaitOp>(ops[3].what).cq.empty());
}

TEST_CASE("srq: its depth is that of the NIC if it says none") {
    CHECK(load(with_srq("")).hosts.at(1).srqs.at(0).depth == 1024);
    CHECK(load(with_srq(""), {"nic.srq.depth=33"}).hosts.at(1).srqs.at(0).depth == 33);
    CHECK(load(with_srq(R"("depth": 5)"), {"nic.srq.depth=33"}).hosts.at(1).srqs.at(0).depth == 5);
    CHECK(load(with_srq(R"("depth": 5)"), {"hosts.B.srqs.s.depth=6"}).hosts.at(1).srqs.at(0).depth == 6);
}

TEST_CASE("srq: a request for it implies no queue pair") {
    // Without "qps", a program's posts name them; this one names none, and A and B have none.
    const Scenario scenario =
        load(two_hosts("", R"("srqs": {"s": {}})", R"("programs": {"B": [{"post": "srq_receive", "srq": "s"}]})"));
    CHECK(scenario.hosts.at(0).qps.empty());
    CHECK(scenario.hosts.at(1).qps.empty());
}

TEST_CASE("srq: what it cannot be") {
    CHECK_THAT(refusal(with_srq(R"("depth": 200)"), {"nic.srq.max_depth=100"}),
               EndsWith("hosts.B.srqs.s.depth: 200 is more than nic.srq.max_depth of the host, 100"));
    CHECK(refusal(with_srq(R"("depth": 100)"), {"nic.srq.max_depth=100"}).empty());
    CHECK_THAT(refusal(with_srq(""), {"nic.srq.max_depth=0"}),
               EndsWith("hosts.B.srqs.s: the NIC has no shared receive queues (nic.srq.max_depth of the host is 0)"));
    CHECK_THAT(refusal(with_srq(R"("depth": 4, "threshold": 5)")),
               EndsWith("hosts.B.srqs.s.threshold: 5 is more than the depth, 4"));
    CHECK_THAT(refusal(with_srq(R"("max_sge": 31)")),
               EndsWith("hosts.B.srqs.s.max_sge: 31 is more than nic.max_sge of the host, 30"));
    CHECK_THAT(refusal(two_hosts("", R"("cqs": {"s": {}}, "srqs": {"s": {}})", "")),
               EndsWith("hosts.B.srqs.s: a completion queue of the host has this name (a wait could mean either)"));
}

TEST_CASE("srq: what its queue pairs cannot be") {
    CHECK_THAT(refusal(with_srq("", "", R"(, "rq": {"depth": 4})")),
               EndsWith("hosts.B.qps.q0.rq: its receives come from shared receive queue s"));
    CHECK_THAT(refusal(two_hosts("", R"("srqs": {"s": {}}, "qps": {"q0": {"srq": "t"}})", "")),
               EndsWith("hosts.B.qps.q0.srq: there is no shared receive queue \"t\" (known are s)"));
}

// Two hosts with two queue pairs each, and generators with these members.
std::string two_generators(const std::string& first, const std::string& second) {
    return two_hosts(R"("qps": {"q0": {}, "q1": {}})",
                     R"("srqs": {"s": {"depth": 9}}, "qps": {"q0": {"srq": "s"}, "q1": {"srq": "s"}})",
                     R"("traffic": {"t": {"from": "A", "to": "B")" + first +
                         R"(}, "u": {"from": "A.q1", "to": "B.q1")" + second + "}}");
}

TEST_CASE("srq: generators share it") {
    const Scenario equal = load(two_generators(R"(, "size": "8 B")", R"(, "size": "1 KiB")"));
    for (const Traffic& traffic : equal.traffic) {
        CHECK(traffic.srq.name == "s");
        CHECK(traffic.srq.ahead == 4);  // half of nine
        CHECK(traffic.room() == 1_KiB);
        CHECK_FALSE(traffic.uses_credits());
    }
    const Scenario given = load(two_generators(R"(, "receives": 2)", ""));
    CHECK(given.traffic[0].srq.ahead == 2);
    CHECK(given.traffic[1].srq.ahead == 7);
    // Writes take no receives.
    const Scenario write = load(two_generators(R"(, "operation": "write", "size": "64 KiB")", ""));
    CHECK(write.traffic[0].srq.name.empty());
    CHECK(write.traffic[1].srq.ahead == 9);
    CHECK(write.traffic[1].room() == 4_KiB);
}

TEST_CASE("srq: a program leaves it to its generators") {
    const auto program = [](const std::string& op) {
        return with_srq(R"("threshold": 2)",
                        R"("traffic": {"t": {"from": "A", "to": "B"}}, "programs": {"B": [)" + op + "]}");
    };
    const auto refused = EndsWith(": traffic t drives s of host B, so a program cannot");
    CHECK_THAT(refusal(program(R"({"post": "srq_receive", "srq": "s", "buffer": "rx"})")), refused);
    CHECK_THAT(refusal(program(R"({"modify_srq": "s", "depth": 9})")), refused);
    CHECK_THAT(refusal(program(R"({"wait": "s"})")), refused);
}

TEST_CASE("srq: each of its generators needs a receive, whatever their order") {
    const auto nothing_left = ContainsSubstring(".to: no receive is left for this generator");
    CHECK_THAT(refusal(two_generators("", R"(, "receives": 9)")), nothing_left);
    CHECK_THAT(refusal(two_generators(R"(, "receives": 9)", "")), nothing_left);
}

TEST_CASE("srq: what its generators cannot be") {
    CHECK_THAT(
        refusal(two_generators(R"(, "receives": 5)", R"(, "receives": 5)")),
        EndsWith("traffic.u.receives: with those of the other generators 10 receives are posted ahead, more than "
                 "hosts.B.srqs.s.depth, 9"));
    CHECK_THAT(
        refusal(two_generators(R"(, "receives": 9)", "")),
        EndsWith("traffic.u.to: no receive is left for this generator: 2 generators share hosts.B.srqs.s.depth, 9"));
    CHECK_THAT(
        refusal(two_generators(R"(, "credits": true)", "")),
        EndsWith("traffic.t.credits: the receives of B.q0 come from shared receive queue s, where another message "
                 "may take them"));
    CHECK_THAT(refusal(with_srq("", R"("traffic": {"t": {"from": "A", "to": "B"}})", R"(}, "q1": {"srq": "s")")),
               EndsWith("hosts.B.qps.q1.srq: traffic t posts receives to s, so all queue pairs with it need traffic"));
}

TEST_CASE("srq: requests that are for the wrong queue", "[K198]") {
    CHECK_THAT(refusal(program_of_b(R"({"post": "receive"})")),
               EndsWith("programs.B[0].post: receives of queue pair q0 come from shared receive queue s (post them "
                        "there: {\"post\": \"srq_receive\", \"srq\": \"s\"})"));
    CHECK_THAT(refusal(program_of_b(R"({"post": "srq_receive"})")),
               EndsWith("programs.B[0]: an srq_receive needs a shared receive queue (\"srq\" names it)"));
    CHECK_THAT(refusal(program_of_b(R"({"post": "srq_receive", "srq": "t"})")),
               EndsWith("programs.B[0].srq: there is no shared receive queue \"t\" on host B (known are s)"));
    CHECK_THAT(refusal(program_of_b(R"({"post": "srq_receive", "srq": "s", "qp": "q0"})")),
               EndsWith("programs.B[0].qp: an srq_receive is for all queue pairs of its shared receive queue"));
    CHECK_THAT(refusal(program_of_b(R"({"post": "send", "srq": "s"})")),
               EndsWith("programs.B[0].srq: only an srq_receive names a shared receive queue"));
    CHECK_THAT(refusal(program_of_b(R"({"post": "srq_receive", "srq": "s", "flags": ["defer"]})")),
               EndsWith("programs.B[0].flags: a receive has no flags"));
    CHECK_THAT(refusal(program_of_b(R"({"modify_srq": "t"})")),
               EndsWith("programs.B[0].modify_srq: there is no shared receive queue \"t\" on host B (known are s)"));
}

TEST_CASE("srq: receives that do not fit") {
    CHECK_THAT(refusal(program_of_b(R"({"post": "srq_receive", "srq": "s", "buffer": "rx", "size": "5 KiB"})")),
               EndsWith("programs.B[0].size: 5 KiB at 0 B reach beyond buffer rx of 4 KiB"));
    CHECK_THAT(
        refusal(program_of_b(R"({"post": "srq_receive", "srq": "s", "sgl": [{"buffer": "rx"}, {"buffer": "rx"}]})",
                             R"("max_sge": 1)")),
        EndsWith("programs.B[0].sgl: 2 scatter/gather entries are more than max_sge of shared receive queue s, 1"));
}

TEST_CASE("srq: a wait needs a threshold, of the queue or of a change before it") {
    CHECK_THAT(
        refusal(program_of_b(R"({"modify_srq": "s", "depth": 9}, {"wait": "s"})")),
        EndsWith("programs.B[1].wait: nothing arms s before this, so nothing would end it (give it a threshold, or "
                 "put a modify_srq with one before it)"));
    CHECK(refusal(program_of_b(R"({"modify_srq": "s", "threshold": 1}, {"wait": "s"})")).empty());
    CHECK(refusal(program_of_b(R"({"wait": "s"})", R"("threshold": 1)")).empty());
}

}  // namespace ndsim::test::srq_test
