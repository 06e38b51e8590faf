// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// How requests and their connections end: by errors, by flushes, and silently.

namespace ndsim::test::request_ends_test {

TEST_CASE("no Receive posted: the Send fails, the rest is cancelled on both sides", "[X23][X31][X32][K150]") {
    const ChildResult run = finish_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "64 B"}}}, "B": {"buffers": {"rx": {"size": "64 B"}}}},
        "programs": {
            "A": [{"post": "receive", "as": "ra"}, {"sleep": "20 us"},
                  {"post": "send", "buffer": "tx", "as": "s0"}, {"post": "send", "buffer": "tx", "as": "s1"},
                  {"post": "send", "buffer": "tx", "as": "s2"}, {"post": "send", "buffer": "tx", "as": "s3"},
                  {"poll": "q0.send", "count": 4}, {"poll": "q0.receive"}, {"sleep": "50 us"},
                  {"post": "send", "buffer": "tx", "as": "late"}, {"poll": "q0.send"}],
            "B": [{"post": "receive", "buffer": "rx", "as": "r"}, {"poll": "q0.receive"}]},
        "expect": [
            {"completion": "A.s0", "status": "success"},
            {"completion": "A.s1", "status": "io_timeout"},
            {"completion": "A.s2", "status": "cancelled"},
            {"completion": "A.s3", "status": "cancelled"},
            {"completion": "A.ra", "status": "cancelled"},
            {"completion": "A.late", "status": "cancelled"},
            {"completion": "B.r", "status": "success", "bytes": 64},
            {"order": ["A.s0", "A.s1", "A.s2", "A.s3"]}]})");
    CHECK(run.metric("B.nic.responder.rnr_naks") == 1);
}

// The first Send fails when the last ones are on their way; they are flushed, and the poll returns all of them.
TEST_CASE("flushed requests have ended when a poll returns them, whatever their packets still do", "[K150]") {
    const ChildResult run = run_text(R"({"hosts": {"A": {"buffers": {"tx": {"size": "8 KiB"}}},
                                                   "B": {"buffers": {"rx": {"size": "64 KiB"}}}},
        "programs": {"A": [{"sleep": "20 us"},
                           {"post": "write", "buffer": "tx", "size": "1 B", "to": "B.rx", "as": "w"},
                           {"post": "send", "buffer": "tx", "as": "s", "count": 3},
                           {"poll": "q0.send", "count": 4}], "B": []},
        "expect": [{"completion": "A.s[0]", "status": "io_timeout"},
                   {"completion": "A.s[1]", "status": "cancelled", "within": "2700 ns"},
                   {"completion": "A.s[2]", "status": "cancelled", "within": "2700 ns"}]})");
    REQUIRE(run.ended);
    CHECK(run.unmet.empty());
}

TEST_CASE("a Receive that is too small: it overflows, the Send fails, the rest is cancelled", "[X25]") {
    const ChildResult run = finish_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "128 B"}}}, "B": {"buffers": {"rx": {"size": "64 B"}}}},
        "programs": {
            "A": [{"sleep": "20 us"}, {"post": "send", "buffer": "tx", "as": "s0"},
                  {"post": "send", "buffer": "tx", "as": "s1"}, {"poll": "q0.send", "count": 2}],
            "B": [{"post": "receive", "buffer": "rx", "as": "r0"}, {"post": "receive", "buffer": "rx", "as": "r1"},
                  {"poll": "q0.receive", "count": 2}]},
        "expect": [
            {"completion": "A.s0", "status": "remote_resources"},
            {"completion": "A.s1", "status": "cancelled"},
            {"completion": "B.r0", "status": "buffer_overflow"},
            {"completion": "B.r1", "status": "cancelled"}]})");
}

// 1 MiB at 98 Gb/s takes 86 us: the Send comes to B, which has no receive, while the Read is answered, and its NAK
// waits.
TEST_CASE("a NAK that waits behind the responses of a Read does not hold up the end of its connection", "[X33][K151]") {
    const ChildResult run = run_text(R"({"hosts": {"A": {"buffers": {"rx": {"size": "1 MiB"}}},
                                                   "B": {"nic": {"overflow": "rnr"},
                                                         "buffers": {"tx": {"size": "1 MiB"}}}},
        "programs": {
            "A": [{"post": "read", "buffer": "rx", "from": "B.tx"}, {"post": "send", "buffer": "rx", "size": "64 B"},
                  {"sleep": "20 us"}, {"disconnect": "q0"}],
            "B": [{"wait": "q0.disconnect"}, {"disconnect": "q0"}]},
        "limits": {"time": "10 ms"}})");
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
}

// B takes two of the three Sends, and its completion queue overruns with the second; the third waits for its NAK.
TEST_CASE("a completion queue that overruns ends its connection, whatever NAK waits behind a Read", "[X58]") {
    const ChildResult run = run_text(R"({"hosts": {"A": {"buffers": {"rx": {"size": "1 MiB"}}},
                                                   "B": {"nic": {"overflow": "rnr"}, "cqs": {"c": {"depth": 1}},
                                                         "qps": {"q0": {"receive_cq": "c"}},
                                                         "buffers": {"tx": {"size": "1 MiB"}}}},
        "programs": {
            "A": [{"post": "read", "buffer": "rx", "from": "B.tx"},
                  {"post": "send", "buffer": "rx", "size": "64 B", "count": 3}, {"poll": "q0.send", "count": 4}],
            "B": [{"post": "receive", "buffer": "tx", "size": "64 B", "count": 2}, {"wait": "q0.disconnect"}]},
        "limits": {"time": "10 ms"}})");
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    REQUIRE(run.dead_connections.size() == 1);
    CHECK(run.dead_connections[0].ends == "B.q0 to A.q0");
    CHECK(run.dead_connections[0].why == "completion queue B.c overran");
}

TEST_CASE("silent Sends free their slots only when a later completion is polled", "[K52][K56]") {
    // Four slots, four silent Sends that all succeed: the fifth post is refused, although nothing is in flight.
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "8 B"}}, "qps": {"q0": {"sq": {"depth": 4}}}},
                  "B": {"buffers": {"rx": {"size": "8 B"}}}},
        "programs": {
            "A": [{"sleep": "20 us"},
                  {"post": "send", "buffer": "tx", "flags": ["silent_success"], "count": 4, "as": "quiet"},
                  {"sleep": "50 us"}, {"post": "send", "buffer": "tx", "as": "refused"}],
            "B": [{"post": "receive", "buffer": "rx", "count": 4}, {"poll": "q0.receive", "count": 4}]},
        "expect": [
            {"completion": "A.refused", "status": "no_more_entries"},
            {"completion": "A.quiet[3]", "completes": false},
            {"metric": "A.nic.completer.retired", "at_least": 4, "at_most": 4}]})");
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.unmet == "");
}

TEST_CASE("a silent Send that succeeds has no completion, although a later one tells of its end", "[K52][K55]") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "8 B"}}}, "B": {"buffers": {"rx": {"size": "8 B"}}}},
        "programs": {
            "A": [{"sleep": "20 us"}, {"post": "send", "buffer": "tx", "flags": ["silent_success"], "as": "quiet"},
                  {"post": "send", "buffer": "tx", "as": "loud"}, {"poll": "q0.send"}],
            "B": [{"post": "receive", "buffer": "rx", "count": 2}, {"poll": "q0.receive", "count": 2}]},
        "expect": [{"completion": "A.quiet", "completes": false}, {"completion": "A.loud", "status": "success"}]})");
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.unmet == "");
    CHECK(run.metric("A.nic.cq.cqes") == 1);
}

TEST_CASE("a generator without credits ends with the first message that finds no receive", "[X20]") {
    // One receive posted ahead, eight messages outstanding: the second one of them is refused.
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B",
        "size": "64 B", "count": 1000000, "window": 8, "credits": false, "receives": 1}}})");
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("B.nic.responder.rnr_naks") == 1);
    CHECK(run.metric("traffic.t.failed") > 0);
    CHECK(run.metric("traffic.t.messages") < 1000);
}

// The NAK asks for 0.64 ms; the flush at some 60 us ends the request, and nothing is sent again.
TEST_CASE("the RNR timer of a queue pair that is flushed does not keep the run going", "[K150]") {
    const ChildResult run = finish_text(R"({"profile": "infiniband",
        "hosts": {"A": {"buffers": {"tx": {"size": "64 B"}}}, "B": {}},
        "programs": {"A": [{"post": "send", "buffer": "tx", "as": "s"}, {"sleep": "10 us"}, {"flush": "q0"},
                           {"poll": "q0.send"}],
                     "B": [{"sleep": "5 us"}]},
        "expect": [{"completion": "A.s", "status": "cancelled"}]})");
    CHECK(run.metric("A.nic.completer.rnr_naks") == 1);
    CHECK(run.metric("run.ended") < 200'000'000);
}

}  // namespace ndsim::test::request_ends_test
