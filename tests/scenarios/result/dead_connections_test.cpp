// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/base/rng.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Connections that an error ends: the run says which, when and why, and comes to its end.
namespace ndsim::test::dead_connections_test {

// B does nothing for 200 us while sixteen messages are under way, and ten completions are all that its queue holds.
std::string overrun(const std::string& more) {
    return R"({"hosts": {"A": {}, "B": {"nic": {"cq": {"depth": 10}}}},
               "traffic": {"t": {"from": "A.q0", "to": "B.q0", "count": 1000}},
               "faults": [{"freeze": "B", "from": "250 us", "until": "450 us"}])" +
           more + "}";
}

TEST_CASE("dead connections: a receiver's completion queue that overruns") {
    const ChildResult run = run_text(overrun(""));
    CHECK(run.outcome == RunOutcome::finished);
    REQUIRE(run.dead_connections.size() == 1);  // the other end of it fails later
    CHECK(run.dead_connections[0].ends == "B.q0 to A.q0");
    CHECK(run.dead_connections[0].why == "completion queue B.q0.receive overran");
    CHECK_FALSE(run.dead_connections[0].expected);
}

TEST_CASE("dead connections: one that an expectation asks for, at either end") {
    for (const std::string metric : {"B.nic.cq.overruns", "traffic.t.failed"}) {
        const ChildResult run = run_text(overrun(R"(, "expect": [{"metric": ")" + metric + R"(", "at_least": 1}])"));
        REQUIRE(run.dead_connections.size() == 1);
        CHECK(run.dead_connections[0].expected);
        CHECK(run.unmet.empty());
    }
}

// The receiver posts again in batches of 32 and is away now and then. When its queue overruns, the sender, who has no
// credit, has nothing under way that could fail.
TEST_CASE("dead connections: a queue that overruns while the sender waits for credit") {
    const ChildResult run = run_text(
        R"({"hosts": {"A": {"nic": {"sq": {"depth": 9}}},
                      "B": {"cpu": {"preempt_every": "100us", "preempt_time": "50us"}, "nic": {"cq": {"depth": 215}}}},
            "traffic": {"t": {"from": "A.q0", "to": "B.q0", "repost_batch": 32, "count": 5000, "window": 9,
                              "receives": 219}}})");
    CHECK(run.outcome == RunOutcome::finished);
    REQUIRE(run.dead_connections.size() == 1);
    CHECK(run.metric("traffic.t.messages") < 5000);
}

TEST_CASE("dead connections: a run without errors has none, nor has one that disconnects") {
    CHECK(run_traffic(R"("count": 10)").dead_connections.empty());
    const ChildResult run = run_file("scenarios/library/disconnect-with-work-in-flight.json");
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.dead_connections.empty());
}

TEST_CASE("dead connections: a receive that is missing") {
    const ChildResult run = run_file("scenarios/library/receive-overflow-terminate.json");
    REQUIRE(run.dead_connections.size() == 1);
    CHECK(run.dead_connections[0].ends == "A.q0 to B.q0");
    CHECK(run.dead_connections[0].why == "the peer had no receive posted (rnr_retry_exceeded)");
    CHECK(run.dead_connections[0].expected);
}

// A sends one message over a socket, with a NIC that sends each packet only once.
ChildResult run_socket(const std::string& fault, const std::string& expected) {
    return run_text(R"({"hosts": {
        "A": {"api": "wsd", "buffers": {"tx": {"size": "64 B"}}, "nic": {"retry_count": 0}},
        "B": {"api": "wsd", "buffers": {"rx": {"size": "64 B"}}, "nic": {"retry_count": 0}}},
        "programs": {"A": [{"post": "send", "buffer": "tx", "as": "s"}],
                     "B": [{"post": "receive", "buffer": "rx", "as": "r"}]},
        "faults": [)" +
                    fault + R"(], "expect": [)" + expected + "]}");
}

TEST_CASE("dead connections: a socket of which a packet is lost for good") {
    // packet 1 tells the number of A's receives, packet 2 acknowledges that of B's, packet 3 is the message
    const ChildResult run = run_socket(R"({"drop": "A", "packet": 3})", "");
    CHECK(run.outcome == RunOutcome::finished);
    REQUIRE(run.dead_connections.size() == 1);
    CHECK(run.dead_connections[0].ends == "A.q0 to B.q0");
    CHECK(run.dead_connections[0].why ==
          "packets were lost, or not answered in time, until no retry was left (retry_exceeded)");
    CHECK_FALSE(run.dead_connections[0].expected);
}

// A's first message is packet 1. B answers it with an acknowledgement and its own first message, and is connected then.
TEST_CASE("dead connections: a socket whose first message is lost is never connected", "[W104]") {
    // A case: the packet that is lost, the ends, and how B's receive ends.
    struct Case {
        std::string fault;
        std::string ends;
        std::string receive;
    };
    for (const Case& each : {Case{R"({"drop": "A", "packet": 1})", "A.q0 to B.q0", "connection_invalid"},
                             Case{R"({"drop": "B", "packet": 2})", "B.q0 to A.q0", "connection_aborted"}}) {
        const ChildResult run =
            run_socket(each.fault, fmt::format(R"({{"completion": "A.s", "status": "connection_invalid"}},
                                       {{"completion": "B.r", "status": "{}"}})",
                                               each.receive));
        CHECK(run.outcome == RunOutcome::finished);
        CHECK(run.unmet.empty());
        REQUIRE(run.dead_connections.size() == 1);
        CHECK(run.dead_connections[0].ends == each.ends);
        CHECK(run.dead_connections[0].why ==
              "packets were lost, or not answered in time, until no retry was left (retry_exceeded)");
        CHECK(run.dead_connections[0].expected);
    }
}

// The message is longer than the receive, so B's queue pair fails, and five more receives are flushed into a completion
// queue of four.
TEST_CASE("dead connections: an error whose flush overruns the completion queue is the cause", "[K102][K107]") {
    const ChildResult run = run_text(R"({"hosts": {
        "A": {"buffers": {"tx": {"size": "128 B"}}},
        "B": {"buffers": {"rx": {"size": "64 B"}}, "cqs": {"few": {"depth": 4}}, "qps": {"q0": {"receive_cq": "few"}}}},
        "programs": {"A": [{"post": "send", "buffer": "tx"}],
                     "B": [{"post": "receive", "buffer": "rx", "count": 6}]}})");
    CHECK(run.metric("B.nic.cq.overruns") == 1);
    REQUIRE(run.dead_connections.size() == 1);
    CHECK(run.dead_connections[0].ends == "B.q0 to A.q0");
    CHECK(run.dead_connections[0].why == "a message was larger than its receive (loc_len)");
}

// Eight queue pairs complete in one queue, which holds less than may be outstanding, and the core that polls it is away
// now and then. Whatever is lost, the run ends by itself, and tells of all eight connections if the queue has overrun.
TEST_CASE("dead connections: a queue of eight that overruns by chance") {
    std::string qps;
    for (int i = 0; i < 8; ++i) {
        qps += fmt::format(R"({}"q0{}": {{"send_cq": "s"}})", i == 0 ? "" : ", ", i == 0 ? "" : fmt::format("_{}", i));
    }
    std::uint64_t overruns = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        Rng random(seed, "dead connections");
        const std::string text = fmt::format(
            R"({{"seed": {}, "hosts": {{"A": {{"cqs": {{"s": {{"depth": {}}}}}, "qps": {{{}}}}}, "B": {{}}}},
                 "traffic": {{"t": {{"from": "A.q0", "to": "B.q0", "operation": "{}", "queue_pairs": 8, "size": "64 B",
                                     "window": 512, "count": 5000, "poll_batch": {}}}}}}})",
            seed, random.between(20, 600), qps, seed % 2 == 0 ? "write" : "read", random.between(1, 64));
        INFO(text);
        const ChildResult run = run_text(text, {"hosts.A.cpu.preempt_every=100us", "hosts.A.cpu.preempt_time=200us"});
        REQUIRE(run.ended);
        CHECK(run.why.empty());
        CHECK(run.outcome == RunOutcome::finished);
        const bool overran = run.metric("A.nic.cq.overruns") > 0;
        overruns += overran ? 1 : 0;
        CHECK(run.dead_connections.size() == (overran ? 8U : 0U));
        CHECK((run.metric("traffic.t.messages") == 5000) == !overran);
        for (const ChildResult::SeenDead& dead : run.dead_connections) {
            CHECK(dead.why == "completion queue A.s overran");
        }
    }
    CHECK(overruns > 0);
    CHECK(overruns < 12);
}

// The windows of t are over long before A's Write fails: 64 B at 4 KiB - 32 B reach beyond B's buffer. The NIC tells
// the drivers after nic.command_latency, 1 us and more behind A's poll, with which the run ends.
TEST_CASE("dead connections: a failure that a program has polled counts if the run ends before the driver is told") {
    const ChildResult run = finish_text(R"({"measure": {"warmup": 10, "window": 50, "drain": false},
        "hosts": {"A": {"buffers": {"m": {}}}, "B": {"buffers": {"m": {"size": "4 KiB"}}}},
        "programs": {"A": [{"sleep": "200 us"},
            {"post": "write", "buffer": "m", "size": "64 B", "to": "B.m", "to_offset": "4064 B", "as": "w"},
            {"poll": "q0.send"}]},
        "traffic": {"t": {"from": "A.q1", "to": "B.q1", "size": "64 B", "count": 1000000}}})");
    REQUIRE(run.dead_connections.size() == 1);
    CHECK(run.dead_connections[0].ends == "A.q0 to B.q0");
    CHECK(run.dead_connections[0].why == "A.w completed with remote_resources");
}

}  // namespace ndsim::test::dead_connections_test
