// SPDX-License-Identifier: Apache-2.0

#include "tests/scenarios/format/support.hpp"

namespace ndsim::test::traffic_checks_test {

// Why a generator with these keys is refused.
std::string refused(const std::string& more) {
    return refusal(two_hosts("", "", R"("traffic": {"t": {"from": "A", "to": "B", )" + more + "}}"));
}

TEST_CASE("checks: the ends of a generator") {
    CHECK(refusal(two_hosts("", "", R"("traffic": {"t": {"from": "C", "to": "B"}, "u": {"from": "A", "to": "A"}})")) ==
          "f:3:27: traffic.t.from: there is no host \"C\" (known are A, B)\n"
          "f:3:69: traffic.u.to: sender and receiver are the same queue pair");
    CHECK(
        refusal(two_hosts(R"("qps": {"q0": {}})", "", R"("traffic": {"t": {"from": "A.q1", "to": "B"}})")) ==
        "f:3:27: traffic.t.from: there is no queue pair \"A.q1\"; did you mean \"A.q0\"? (hosts.A.qps lists all queue "
        "pairs: add \"q1\": {} there)");
    CHECK(
        refusal(two_hosts("", "", R"("traffic": {"t": {"from": "A", "to": "B"}, "u": {"from": "A", "to": "B.x"}})")) ==
        "f:3:58: traffic.u.from: traffic t sends from A.q0 already\n"
        "f:3:69: traffic.u.to: A.q0 is connected to B.q0, not to B.x (\"connect\" of a queue pair names its peer)");
}

TEST_CASE("checks: two senders to one queue pair") {
    const auto file = [](const std::string& more) {
        return R"({"hosts": {"A": {}, "B": {}, "C": {}}, "switches": {"s": {}}, "traffic": {
"t": {"from": "A", "to": "B"}, )" +
               more + "}}";
    };
    CHECK(refusal(file(R"("u": {"from": "C", "to": "B"})")) ==
          "f:2:57: traffic.u.to: B.q0 is connected to A.q0, not to C.q0 "
          "(each sender needs a queue pair of its own there, such as \"B.q1\")");
    CHECK(refusal(file(R"("u": {"from": "C.q2", "to": "B.q1"}, "v": {"from": "C", "to": "B"})")) ==
          "f:2:94: traffic.v.to: B.q0 is connected to A.q0, not to C.q0 "
          "(each sender needs a queue pair of its own there, such as \"B.q2\")");
    CHECK(refusal(file(R"("u": {"from": "C", "to": "B.q1"})")).empty());
}

TEST_CASE("checks: sizes and entries of a generator") {
    CHECK(refusal(traffic(R"("size": "4 KiB", "sgl": ["1 KiB", "1 KiB"])")) ==
          "f:4:25: traffic.t.sgl: its entries add up to 2 KiB, but the size is 4 KiB");
    CHECK(refusal(traffic(R"("sgl": ["1 B", "1 B", "1 B", "1 B", "1 B"])")) ==
          "f:4:8: traffic.t.sgl: 5 entries are more than max_sge of A.q0, 4");
    CHECK(refusal(traffic(R"("inline": true)")) ==
          "f:4:11: traffic.t.inline: 4 KiB are more than inline_max of A.q0, 220");
}

TEST_CASE("checks: the weights of a generator's queue pairs") {
    const std::string three = R"("operation": "write", "queue_pairs": 3, )";
    CHECK(refusal(traffic(three + R"("choose": "weighted", "weights": [3, 1, 1])")) == "");
    CHECK(refusal(traffic(three + R"("choose": "weighted", "weights": [3, 1])")) ==
          "f:4:74: traffic.t.weights: 2 weights for 3 queue pairs (each queue pair needs one)");
    CHECK(refusal(traffic(R"("choose": "weighted", "weights": [1, 1])")) ==
          "f:4:34: traffic.t.weights: 2 weights for 1 queue pair (each queue pair needs one)");
    CHECK(refusal(traffic(R"("choose": "weighted")")) ==
          "f:4:11: traffic.t.choose: \"weights\" is missing (a list with one weight for each queue pair)");
    CHECK(refusal(traffic(R"("weights": [1])")) == "f:4:12: traffic.t.weights: weights need \"choose\": \"weighted\"");
    CHECK(refusal(traffic(R"("choose": "weighted", "weights": [0])")) ==
          "f:4:35: traffic.t.weights[0]: expected 1 .. 1000000, got 0");
    CHECK(refusal(traffic(R"("choose": "weighted", "weights": [1000001])")) ==
          "f:4:35: traffic.t.weights[0]: expected 1 .. 1000000, got 1000001");
    CHECK(refusal(traffic(R"("choose": "weighted", "weights": [])")) == "f:4:34: traffic.t.weights: the list is empty");
    CHECK(refusal(traffic(R"("choose": "weighted", "weights": 3)")) ==
          "f:4:34: traffic.t.weights: expected a list, got 3");
}

TEST_CASE("checks: a generator that would wait for ever") {
    CHECK(refusal(traffic(R"("signal_every": 129, "window": 256)")) ==
          "f:4:17: traffic.t.signal_every: 129 is more than sq.depth of A.q0, 128 (the generator would wait forever "
          "for a completion that no request asked for)");
    CHECK(refusal(traffic(R"("signal_every": 17)")) ==
          "f:4:17: traffic.t.signal_every: 17 is more than the window, 16 (the generator would wait forever for a "
          "completion that no request asked for)");
}

TEST_CASE("checks: the buffers of a generator") {
    CHECK(refusal(traffic(R"("size": "1 MiB", "buffers": 1025)")) ==
          "f:4:29: traffic.t.buffers: 1025 buffers of 1 MiB are more than 1 GiB");
    CHECK(refusal(traffic(R"("size": ["1 GiB", "64 B"], "buffers": 2)")) ==
          "f:4:39: traffic.t.buffers: 2 buffers of 1 GiB are more than 1 GiB");
    CHECK(refusal(traffic(R"("size": ["1 MiB", "64 B"], "buffers": 1024)")) == "");
    CHECK(refusal(traffic(R"("size": "1 GiB", "buffers": 1)")) == "");
}

TEST_CASE("checks: receives posted ahead") {
    CHECK(refusal(traffic(R"("receives": 513)")) ==
          "f:4:13: traffic.t.receives: 513 is more than rq.depth of B.q0, 512");
}

TEST_CASE("checks: requests that expectations name") {
    CHECK(refusal(expect(R"({"completion": "A.z"}, {"completion": "B.s"}, {"completion": "A.s[2]"})")) ==
          "f:5:16: expect[0].completion: there is no request \"A.z\"; did you mean \"A.q\"?\n"
          "f:5:39: expect[1].completion: there is no request \"B.s\"; did you mean \"A.s\"?\n"
          "f:5:62: expect[2].completion: there is no request \"A.s[2]\"; did you mean \"A.s[0]\"?");
    CHECK(refusal(expect(R"({"order": ["A.q"]}, {"order": ["A.s", "A.s[1]"]})")) ==
          "f:5:11: expect[0].order: expected at least two requests\n"
          "f:5:39: expect[1].order[1]: \"A.s[1]\" appears twice");
    CHECK(refusal(expect(R"({"completion": "A.q", "status": "success"})")) ==
          "f:5:1: expect[0]: A.q is silent: it has no completion if it succeeds");
}

TEST_CASE("checks: buffers that expectations name") {
    CHECK(
        refusal(expect(
            R"({"memory": "B.rx", "equals": "A.rx"}, {"memory": "C.rx", "equals": "A.tx"}, {"memory": "B.rx", "equals": "A.tx", "size": "3 KiB"})")) ==
        "f:5:30: expect[0].equals: there is no buffer \"A.rx\"; did you mean \"A.tx\"?\n"
        "f:5:50: expect[1].memory: there is no host \"C\" (known are A, B)\n"
        "f:5:122: expect[2].size: 3 KiB at 0 B reach beyond B.rx of 2 KiB");
}

TEST_CASE("checks: what writes and reads of a generator may have") {
    CHECK_THAT(refused(R"("queue_pairs": 2)"),
               Catch::Matchers::ContainsSubstring(
                   "traffic.t.queue_pairs: Sends of several queue pairs take their receives from one queue "
                   "(give B.q0 an \"srq\")"));
    CHECK_THAT(refused(R"("operation": "write", "receives": 5)"),
               Catch::Matchers::ContainsSubstring("traffic.t.receives: operation \"write\" takes no receives"));
    CHECK_THAT(refused(R"("operation": "read", "solicit_every": 2)"),
               Catch::Matchers::ContainsSubstring(
                   "traffic.t.solicit_every: operation \"read\" has no completion at the receiver"));
    CHECK_THAT(refused(R"("operation": "read", "size": "8 B", "inline": true)"),
               Catch::Matchers::ContainsSubstring("traffic.t.inline: a read carries no data in the WQE"));
    CHECK_THAT(refused(R"("operation": "read", "queue_pairs": 4, "signal_every": 2)"),
               Catch::Matchers::ContainsSubstring(
                   "traffic.t.signal_every: with several queue pairs every request asks for a completion"));
    CHECK_THAT(refused(R"("operation": "erase")"),
               Catch::Matchers::ContainsSubstring(
                   "traffic.t.operation: expected one of \"send\", \"write\", \"read\", got \"erase\""));
}

TEST_CASE("checks: the queue pairs of a generator are connected in turn, and complete in one place") {
    const auto refused = [](const std::string& a, const std::string& b, const std::string& operation) {
        return refusal(two_hosts(
            "\"qps\": {" + a + "}", R"("srqs": {"s": {}}, "qps": {)" + b + "}",
            R"("traffic": {"t": {"from": "A", "to": "B", "operation": ")" + operation + R"(", "queue_pairs": 2}})"));
    };
    CHECK_THAT(refused(R"("q0": {}, "q0_1": {"connect": "B.q5"})", R"("q0": {}, "q5": {})", "write"),
               Catch::Matchers::ContainsSubstring("traffic.t.queue_pairs: A.q0_1 is not connected to B.q0_1"));
    CHECK_THAT(refused(R"("q0": {}, "q0_1": {"send_cq": "q0_1.receive"})", R"("q0": {})", "write"),
               Catch::Matchers::ContainsSubstring("traffic.t.queue_pairs: A.q0_1 has a different send_cq from A.q0"));
    CHECK_THAT(refused(R"("q0": {})", R"("q0": {"srq": "s"}, "q0_1": {})", "send"),
               Catch::Matchers::ContainsSubstring(
                   "traffic.t.queue_pairs: B.q0_1 has a different srq or receive_cq from B.q0"));
}

TEST_CASE("checks: no two generators send from one queue pair, be it the first or another one") {
    const std::string t = R"("traffic": {"t": {"from": "A", "to": "B", "operation": "write", "queue_pairs": 3}, )";
    CHECK_THAT(refusal(two_hosts("", "", t + R"("u": {"from": "A.q0_1", "to": "B.q0_1"}})")),
               Catch::Matchers::ContainsSubstring("traffic.u.from: traffic t sends from A.q0_1 already"));
}

// Queue pair q0_all is another thing than the completion queue of A's queue pairs.
TEST_CASE("checks: a queue pair may have the name of a completion queue that traffic drives") {
    CHECK_THAT(refusal(two_hosts("", "",
                                 R"("traffic": {"t": {"from": "A", "to": "B", "operation": "write", "queue_pairs": 2}},
                                    "programs": {"A": [{"post": "send", "qp": "q0_all"}]})")),
               Catch::Matchers::Equals(""));
}

TEST_CASE("checks: queue pairs of a generator that the file does not define are like the first") {
    const Scenario scenario = load(two_hosts(R"("qps": {"q0": {"sq": {"depth": 5}}, "q0_2": {"sq": {"depth": 7}}})",
                                             R"("srqs": {"s": {}}, "qps": {"q0": {"srq": "s", "connect": "A"}})",
                                             R"("traffic": {"t": {"from": "A", "to": "B", "queue_pairs": 3}})"));
    const Host& a = scenario.hosts.at(0);
    const Host& b = scenario.hosts.at(1);
    REQUIRE(a.qps.size() == 3);
    REQUIRE(b.qps.size() == 3);
    std::map<std::string, std::uint32_t> depths;
    for (const QueuePair& qp : a.qps) {
        depths[qp.name] = qp.sq.depth;
        CHECK(qp.send_cq == "q0_all");
        CHECK(qp.receive_cq == qp.name + ".receive");
    }
    CHECK(depths == std::map<std::string, std::uint32_t>{{"q0", 5}, {"q0_1", 5}, {"q0_2", 7}});
    for (const QueuePair& qp : b.qps) {
        CHECK(qp.srq == "s");
        CHECK(qp.receive_cq == "q0_received");
        CHECK(qp.send_cq == qp.name + ".send");
    }
}

TEST_CASE("checks: what belongs to an open loop") {
    CHECK_THAT(
        refused(R"("arrivals": "trace")"),
        Catch::Matchers::ContainsSubstring("traffic.t.arrivals: \"trace\" is missing (it names the file of times)"));
    CHECK_THAT(refused(R"("trace": "none.csv")"), Catch::Matchers::ContainsSubstring("traffic.t.trace: "));
    CHECK_THAT(refused(R"("arrivals": "fixed", "think_time": "1 us")"),
               Catch::Matchers::ContainsSubstring("traffic.t.think_time: a think time needs"));
}

TEST_CASE("traffic: what would change nothing is refused") {
    CHECK_THAT(refused(R"("interval": "10 us")"),
               Catch::Matchers::ContainsSubstring(
                   "traffic.t.interval: an interval needs \"arrivals\": \"fixed\", \"poisson\" or \"on_off\""));
    CHECK_THAT(refused(R"("arrivals": "poisson", "burst": 4, "pause": "50 us")"),
               Catch::Matchers::ContainsSubstring("traffic.t.burst: bursts need \"arrivals\": \"on_off\"") &&
                   Catch::Matchers::ContainsSubstring(
                       "traffic.t.pause: a pause between bursts needs \"arrivals\": \"on_off\""));
    CHECK_THAT(refused(R"("operation": "write", "repost_batch": 2)"),
               Catch::Matchers::ContainsSubstring("traffic.t.repost_batch: operation \"write\" takes no receives"));
    // The kind of arrivals is unknown here.
    CHECK_THAT(refused(R"("arrivals": "often", "interval": "10 us")"),
               !Catch::Matchers::ContainsSubstring("an interval needs"));
}

}  // namespace ndsim::test::traffic_checks_test
