// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Programs of scenarios whose queue pairs are sockets over Winsock Direct.

namespace ndsim::test::api_wsd_test {

ChildResult run_sockets(const std::string& a, const std::string& b, const std::string& expect,
                        const std::vector<std::string>& overrides = {}) {
    return finish_text(R"({
        "hosts": {"A": {"api": "wsd", "buffers": {"tx": {"size": "1 MiB", "fill": "counter"}}, "qps": {"q0": {}}},
                  "B": {"api": "wsd", "buffers": {"rx": {"size": "1 MiB"}}, "qps": {"q0": {}}}},
        "programs": {"A": [)" +
                           a + R"(], "B": [)" + b + R"(]},
        "expect": [)" + expect +
                           "]}",
                       overrides);
}

// 100 bytes in one message, 100 KiB as a block that the receiver reads.
TEST_CASE("api wsd: a socket's bytes come in order, in messages and in blocks", "[W1][W31]") {
    run_sockets(R"({"post": "send", "buffer": "tx", "size": "100 B", "as": "short"},
                   {"post": "send", "buffer": "tx", "offset": "100 B", "size": "100 KiB", "as": "long"})",
                R"({"post": "receive", "buffer": "rx", "size": "100 B", "as": "short"},
                   {"post": "receive", "buffer": "rx", "offset": "100 B", "size": "100 KiB", "as": "long"})",
                R"({"completion": "A.short", "status": "success", "bytes": 100},
                   {"completion": "A.long", "status": "success", "bytes": 102400},
                   {"completion": "B.short", "status": "success", "bytes": 100},
                   {"completion": "B.long", "status": "success", "bytes": 102400},
                   {"order": ["B.short", "B.long"]},
                   {"memory": "B.rx", "equals": "A.tx", "size": "102500 B"})");
}

// A stream knows no messages: three sends are received as one, and the other way round.
TEST_CASE("api wsd: sends and receives need not match") {
    run_sockets(R"({"post": "send", "buffer": "tx", "size": "1000 B", "step": "1000 B", "count": 3},
                   {"post": "send", "sgl": [{"buffer": "tx", "offset": "3000 B", "size": "500 B"},
                                            {"buffer": "tx", "offset": "3500 B", "size": "1500 B"}]})",
                R"({"post": "receive", "buffer": "rx", "size": "4500 B", "as": "most"},
                   {"post": "receive", "buffer": "rx", "offset": "4500 B", "size": "500 B", "as": "rest"})",
                R"({"completion": "B.most", "status": "success", "bytes": 4500},
                   {"completion": "B.rest", "status": "success", "bytes": 500},
                   {"memory": "B.rx", "equals": "A.tx", "size": "5000 B"})");
}

// The provider's own Sends, which open the stream, are part of set-up.
TEST_CASE("api wsd: the measured time begins with the program's first request") {
    const ChildResult run = run_sockets(R"({"sleep": "100 us"}, {"post": "send", "buffer": "tx", "size": "100 B"})",
                                        R"({"post": "receive", "buffer": "rx", "size": "100 B"})", "");
    CHECK(run.metric("run.measured") <= run.metric("run.ended") - run.metric("run.started") - 100'000'000);
}

TEST_CASE("api wsd: a receive ends with the stream") {
    run_sockets(R"({"post": "send", "buffer": "tx", "size": "100 B"}, {"disconnect": "q0", "as": "bye"},
                   {"post": "send", "buffer": "tx", "size": "1 B", "as": "late"})",
                R"({"post": "receive", "buffer": "rx", "size": "200 B", "as": "m"},
                   {"post": "receive", "buffer": "rx", "size": "200 B", "as": "none"})",
                R"({"completion": "A.bye", "status": "success"},
                   {"completion": "A.late", "status": "connection_invalid"},
                   {"completion": "B.m", "status": "success", "bytes": 100},
                   {"completion": "B.none", "status": "success", "bytes": 0})");
}

TEST_CASE("api wsd: a program whose peer sends less than it receives waits for ever") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"api": "wsd", "buffers": {"tx": {}}}, "B": {"api": "wsd", "buffers": {"rx": {}}}},
        "programs": {"A": [{"post": "send", "buffer": "tx", "size": "10 B"}],
                     "B": [{"post": "receive", "buffer": "rx", "size": "10 B"},
                           {"post": "receive", "buffer": "rx", "size": "20 B"}]}})");
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK(run.why.find("programs.B[1] (line 5): waits for a message of its peer") != std::string::npos);
    CHECK(run.why.find("of A") == std::string::npos);
}

// B never looks for messages, so it gives no credits back, of which A has eleven at first.
TEST_CASE("api wsd: a program whose peer takes no messages waits for ever") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"api": "wsd", "buffers": {"tx": {}}}, "B": {"api": "wsd"}},
        "programs": {"A": [{"post": "send", "buffer": "tx", "size": "10 B", "count": 11},
                           {"post": "send", "buffer": "tx", "size": "10 B"}],
                     "B": [{"sleep": "1 us"}]}})");
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK(run.why.find("programs.A[1] (line 4): waits for its peer to take messages") != std::string::npos);
}

TEST_CASE("api wsd: a disconnect after the peer's succeeds", "[W100]") {
    run_sockets(R"({"post": "send", "buffer": "tx", "size": "100 B"}, {"sleep": "1 ms"},
                   {"post": "receive", "buffer": "tx", "size": "1 B", "as": "none"}, {"disconnect": "q0", "as": "bye"})",
                R"({"post": "receive", "buffer": "rx", "size": "100 B"}, {"disconnect": "q0", "as": "bye"})",
                R"({"completion": "B.bye", "status": "success"},
                   {"completion": "A.none", "status": "success", "bytes": 0},
                   {"completion": "A.bye", "status": "success"})");
}

// Other software takes A's core so often that B has answered and left when A looks.
TEST_CASE("api wsd: a disconnect succeeds, even if the peer's is noticed with it", "[W100]") {
    for (int seed = 1; seed <= 5; ++seed) {
        run_sockets(R"({"post": "send", "buffer": "tx", "size": "10 B"}, {"disconnect": "q0", "as": "bye"})",
                    R"({"post": "receive", "buffer": "rx", "size": "10 B"},
                       {"post": "receive", "buffer": "rx", "size": "1 B", "as": "end"},
                       {"disconnect": "q0", "as": "bye"})",
                    R"({"completion": "A.bye", "status": "success"}, {"completion": "B.bye", "status": "success"},
                       {"completion": "B.end", "status": "success", "bytes": 0})",
                    {"seed=" + std::to_string(seed), "hosts.A.cpu.preempt_every=10us", "hosts.A.cpu.preempt_time=8us"});
    }
}

TEST_CASE("api wsd: programs may connect by themselves", "[W25]") {
    run_sockets(R"({"connect": "q0", "as": "early"}, {"sleep": "1 ms"}, {"connect": "q0", "as": "c"},
                   {"post": "send", "buffer": "tx", "size": "64 B"})",
                R"({"sleep": "500 us"}, {"listen": "q0"}, {"accept": "q0", "as": "a"},
                   {"post": "receive", "buffer": "rx", "size": "64 B", "as": "m"})",
                R"({"completion": "A.early", "status": "connection_refused"},
                   {"completion": "A.c", "status": "success"}, {"completion": "B.a", "status": "success"},
                   {"completion": "B.m", "status": "success", "bytes": 64})");
}

// The provider's queues hold 16 requests each way, of which the switch uses 12 for receives (wsd.md 6).
TEST_CASE("api wsd: no parameter sizes the queues of a socket, and their figures are those of one CQ") {
    const ChildResult run = run_sockets(R"({"post": "send", "buffer": "tx", "size": "100 B", "count": 8})",
                                        R"({"post": "receive", "buffer": "rx", "size": "800 B", "as": "all"})",
                                        R"({"completion": "B.all", "status": "success", "bytes": 800})",
                                        {"nic.sq.depth=1", "nic.rq.depth=1", "nic.cq.depth=1"});
    CHECK(run.metric("B.qps.q0.rq.high_water") == 12);
    CHECK(run.metric("A.qps.q0.sq.high_water") > 1);
    CHECK(run.metric("A.cqs.q0.entries.high_water") > 0);
    for (const char* const none : {"A.qps.q0.sq.capacity", "A.qps.q0.rq.capacity", "A.qps.q0.outbound_reads.capacity",
                                   "A.cqs.q0.entries.capacity", "A.cqs.q0_send.entries.high_water"}) {
        INFO(none);
        CHECK_FALSE(run.metrics.contains(none));
    }
}

// A second connection has queues of its own, while the first may still hold some of its receives.
TEST_CASE("api wsd: a socket that connects again is counted with its first connection") {
    const ChildResult run =
        run_sockets(R"({"connect": "q0"}, {"post": "send", "buffer": "tx", "size": "64 B"}, {"disconnect": "q0"},
                   {"connect": "q0"}, {"post": "send", "buffer": "tx", "size": "64 B"}, {"disconnect": "q0"})",
                    R"({"listen": "q0"}, {"accept": "q0"}, {"post": "receive", "buffer": "rx", "size": "64 B"},
                   {"disconnect": "q0"}, {"accept": "q0"},
                   {"post": "receive", "buffer": "rx", "size": "64 B", "as": "second"}, {"disconnect": "q0"})",
                    R"({"completion": "B.second", "status": "success", "bytes": 64})");
    CHECK(run.metric("B.qps.q0.rq.high_water") >= 12);
}

// Each host sends on one and receives on the other.
TEST_CASE("api wsd: a host has several sockets") {
    finish_text(R"({
        "hosts": {"A": {"api": "wsd", "buffers": {"tx": {"size": "64 KiB", "fill": "counter"}, "rx": {"size": "64 KiB"}},
                        "qps": {"q0": {}, "q1": {}}},
                  "B": {"api": "wsd", "buffers": {"tx": {"size": "64 KiB", "fill": "counter"}, "rx": {"size": "64 KiB"}},
                        "qps": {"q0": {}, "q1": {"connect": "A.q1"}}}},
        "programs": {"A": [{"post": "send", "buffer": "tx"}, {"post": "receive", "qp": "q1", "buffer": "rx"}],
                     "B": [{"post": "receive", "buffer": "rx"}, {"post": "send", "qp": "q1", "buffer": "tx"}]},
        "expect": [{"memory": "B.rx", "equals": "A.tx"}, {"memory": "A.rx", "equals": "B.tx"}]})",
                {"nic.rq.depth=1", "nic.cq.depth=1"});
}

}  // namespace ndsim::test::api_wsd_test
