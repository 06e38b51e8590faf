// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Programs of scenarios that make their connections themselves.

namespace ndsim::test::connection_steps_test {

ChildResult run_steps(const std::string& a, const std::string& b, const std::string& expect,
                      const std::vector<std::string>& overrides = {}) {
    return finish_text(R"({
        "hosts": {"A": {"buffers": {"tx": {"size": "64 KiB"}}, "qps": {"q0": {}}},
                  "B": {"buffers": {"rx": {"size": "64 KiB"}}, "qps": {"q0": {}}}},
        "programs": {"A": [)" +
                           a + R"(], "B": [)" + b + R"(]},
        "expect": [)" + expect +
                           "]}",
                       overrides);
}

TEST_CASE("connection steps: without a listener a connect is refused", "[K178]") {
    const ChildResult run = run_steps(R"({"connect": "q0", "as": "c"}, {"connect": "q0"})", "",
                                      R"({"completion": "A.c", "status": "connection_refused"})");
    CHECK(run.metric("programs.A.refused") == 2);
}

// B listens at once, and looks at who has come 100 us later; A's connect ends when B accepts.
TEST_CASE("connection steps: a connect waits until it is accepted, an accept until that is completed", "[K174]") {
    run_steps(R"({"sleep": "20 us"}, {"connect": "q0", "as": "c"}, {"post": "send", "buffer": "tx", "size": "64 B"},
                 {"poll": "q0.send"})",
              R"({"listen": "q0"}, {"post": "receive", "buffer": "rx", "as": "r"}, {"sleep": "100 us"},
                 {"accept": "q0", "as": "a"}, {"poll": "q0.receive"})",
              R"({"completion": "A.c", "status": "success"}, {"completion": "B.a", "status": "success"},
                 {"completion": "B.r", "status": "success", "bytes": 64}, {"order": ["A.c", "B.a"]})");
}

TEST_CASE("connection steps: whoever is rejected may try again", "[K178]") {
    const ChildResult run =
        run_steps(R"({"sleep": "20 us"}, {"connect": "q0", "as": "first"}, {"connect": "q0", "as": "second"})",
                  R"({"reject": "q0", "as": "no"}, {"accept": "q0", "as": "yes"})",
                  R"({"completion": "A.first", "status": "connection_refused"},
                     {"completion": "A.second", "status": "success"}, {"completion": "B.no", "status": "success"},
                     {"completion": "B.yes", "status": "success"})");
    CHECK(run.metric("A.ndk.connects") == 1);
    CHECK(run.metric("A.ndk.active_connections") == 1);
}

TEST_CASE("connection steps: a queue pair is connected once", "[K154][K187]") {
    run_steps(R"({"post": "send", "as": "early"}, {"disconnect": "q0", "as": "nothing"}, {"sleep": "20 us"},
                 {"connect": "q0"}, {"connect": "q0", "as": "again"}, {"disconnect": "q0", "as": "bye"},
                 {"connect": "q0", "as": "late"})",
              R"({"accept": "q0"}, {"wait": "q0.disconnect"}, {"disconnect": "q0"})",
              R"({"completion": "A.early", "status": "connection_invalid"},
                 {"completion": "A.nothing", "status": "connection_invalid"},
                 {"completion": "A.again", "status": "connection_active"},
                 {"completion": "A.bye", "status": "success"},
                 {"completion": "A.late", "status": "connection_invalid"})");
}

// 64 Reads of 64 bytes, of which n may be outstanding, go in 64 / n round trips, and one post. B's own wish does not
// concern them.
TEST_CASE("connection steps: read limits are the least of both wishes", "[K171][K172]") {
    const auto duration = [](int wish, int allowed) {
        const ChildResult run = run_steps(
            R"({"sleep": "20 us"}, {"connect": "q0"}, {"time": "reads", "do": [
               {"post": "read", "buffer": "tx", "size": "64 B", "from": "B.rx", "count": 64},
               {"poll": "q0.send", "count": 64}]})",
            R"({"accept": "q0"}, {"sleep": "100 us"})", "",
            {"hosts.A.qps.q0.outbound_reads=" + std::to_string(wish),
             "hosts.B.qps.q0.inbound_reads=" + std::to_string(allowed), "hosts.B.qps.q0.outbound_reads=3"});
        return static_cast<double>(run.metric("programs.A.reads.max"));
    };
    const double all = duration(4, 4);
    const double two = duration(4, 2);
    CHECK(duration(2, 4) == two);
    CHECK(two / all == Catch::Approx(2).margin(0.2));
    CHECK(duration(4, 1) / two == Catch::Approx(2).margin(0.2));
}

TEST_CASE("connection steps: without outbound Reads there are none", "[K173]") {
    run_steps(R"({"post": "read", "buffer": "tx", "from": "B.rx", "as": "r"})", "",
              R"({"completion": "A.r", "status": "invalid_device_request"})", {"hosts.A.qps.q0.outbound_reads=0"});
}

TEST_CASE("connection steps: a flush cancels both queues, and what is posted afterwards", "[K147][K150]") {
    run_steps(R"({"post": "receive", "buffer": "tx", "count": 2, "as": "r"}, {"flush": "q0"},
                 {"post": "send", "buffer": "tx", "as": "s"}, {"poll": "q0.send"}, {"poll": "q0.receive", "count": 2})",
              R"({"sleep": "50 us"})",
              R"({"completion": "A.r", "status": "cancelled"}, {"completion": "A.s", "status": "cancelled"})");
}

// A's Send finds no receive, and must not try again: it fails. The program sees that in its poll, at least 1 us before
// the driver hears of it (event_latency is 2 us, a poll costs less), and flushes at once. B waits until its peer has
// gone, which it has.
TEST_CASE("connection steps: a failure before a flush ends the connection", "[K156]") {
    run_steps(R"({"post": "send", "buffer": "tx", "as": "s"}, {"poll": "q0.send"}, {"flush": "q0"})",
              R"({"wait": "q0.disconnect"})", R"({"completion": "A.s", "status": "io_timeout"})",
              {"hosts.A.nic.rnr_retry=0"});
}

// The send queue has one slot, and a poll takes 3 us. The flush is over in the meantime; the second Send, posted behind
// the poll, is told to the NIC when it is posted, not when the flush ends: else both had the slot.
TEST_CASE("connection steps: a request that is posted during a flush is not there before that", "[K150]") {
    const ChildResult run = run_steps(
        R"({"sleep": "20 us"}, {"post": "send", "buffer": "tx", "size": "0 B", "as": "first"}, {"flush": "q0"},
           {"poll": "q0.send"}, {"post": "send", "buffer": "tx", "as": "second"}, {"poll": "q0.send"})",
        R"({"post": "receive", "buffer": "rx"}, {"sleep": "100 us"})",
        R"({"completion": "A.first", "status": "success"}, {"completion": "A.second", "status": "cancelled"})",
        {"hosts.A.qps.q0.sq.depth=1", "hosts.A.cpu.poll_cq=3 us"});
    CHECK(run.metric("A.qps.q0.sq.high_water") == 1);
}

TEST_CASE("connection steps: an accept that nobody answers says what it waits for") {
    const ChildResult run = run_text(R"({"hosts": {"A": {"qps": {"q0": {}}}, "B": {"qps": {"q0": {}}}},
        "programs": {"A": [{"connect": "q0"}], "B": [{"sleep": "50 us"}, {"accept": "q0"}]}})");
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK_THAT(run.why,
               Catch::Matchers::ContainsSubstring("at programs.B[1] (line 2): waits for a connect request for q0"));
}

}  // namespace ndsim::test::connection_steps_test
