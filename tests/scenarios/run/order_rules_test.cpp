// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::order_rules_test {

// B's program is under way 20 us before A's: it posts its receives first.
ChildResult run_pair(const std::string& a, const std::string& b, const std::string& expect,
                     const std::vector<std::string>& overrides = {}) {
    return finish_text(R"({
        "hosts": {
            "A": {"buffers": {"tx": {"size": "64 KiB", "fill": "random"}, "sink": {"size": "64 KiB"}}},
            "B": {"buffers": {"far": {"size": "64 KiB", "fill": "random"}, "rx": {"size": "64 KiB"}},
                  "memory": {"w": {}}}
        },
        "programs": {"A": [{"sleep": "20 us"}, )" +
                           a + R"(], "B": [)" + b + R"(]},
        "expect": [)" + expect +
                           "]}",
                       overrides);
}

// 64 KiB take 5 us on the lane, so the Send and the Write are acknowledged long before the Read has its data.
TEST_CASE("order: completions of a send queue come in the order of posting, whatever is faster", "[K49][K55]") {
    run_pair(R"({"post": "read", "buffer": "sink", "from": "B.far", "as": "read"},
                {"post": "send", "buffer": "tx", "size": "64 B", "as": "send"},
                {"post": "write", "buffer": "tx", "size": "64 B", "to": "B.rx", "as": "write"},
                {"poll": "q0.send", "count": 3})",
             R"({"post": "receive", "buffer": "rx", "offset": "4 KiB", "size": "64 B", "as": "r"},
                {"poll": "q0.receive"}, {"sleep": "100 us"})",
             R"({"order": ["A.read", "A.send", "A.write"]}, {"order": ["B.r", "A.read"]},
                {"memory": "A.sink", "equals": "B.far", "offset": "8 KiB"})");
}

TEST_CASE("order: each message takes the oldest receive, and completes with its length", "[K50][K101][K35]") {
    run_pair(R"({"post": "send", "buffer": "tx", "size": "5000 B"}, {"post": "send", "buffer": "tx", "size": "1 B"},
                {"post": "send", "buffer": "tx", "size": "300 B"}, {"poll": "q0.send", "count": 3})",
             R"({"post": "receive", "buffer": "rx", "size": "8 KiB", "step": "8 KiB", "count": 3, "as": "r"},
                {"poll": "q0.receive", "count": 3})",
             R"({"completion": "B.r[0]", "status": "success", "bytes": 5000},
                {"completion": "B.r[1]", "status": "success", "bytes": 1},
                {"completion": "B.r[2]", "status": "success", "bytes": 300},
                {"order": ["B.r[0]", "B.r[1]", "B.r[2]"]})");
}

TEST_CASE("receive: a message that fills it exactly succeeds, and so does an empty one without buffers", "[K103]") {
    run_pair(R"({"post": "send", "buffer": "tx", "size": "4097 B"}, {"post": "send"}, {"poll": "q0.send", "count": 2})",
             R"({"post": "receive", "buffer": "rx", "size": "4097 B", "as": "full"}, {"post": "receive", "as": "empty"},
                {"poll": "q0.receive", "count": 2})",
             R"({"completion": "B.full", "status": "success", "bytes": 4097},
                {"completion": "B.empty", "status": "success", "bytes": 0})");
}

// Between the deferred ones and the last, A posts a receive, arms and sleeps: none of that may start them.
TEST_CASE("defer: a chain waits for its last request, whatever else happens, and then is one doorbell",
          "[K38][K43][K44][K45]") {
    const ChildResult run = run_pair(
        R"({"post": "send", "buffer": "tx", "size": "64 B", "flags": ["defer"], "as": "s", "count": 3},
           {"post": "receive", "buffer": "sink", "size": "64 B"}, {"arm": "q0.receive"}, {"sleep": "100 us"},
           {"post": "send", "buffer": "tx", "size": "64 B", "as": "last"}, {"poll": "q0.send", "count": 4})",
        R"({"post": "receive", "buffer": "rx", "size": "64 B", "count": 4, "as": "r"},
           {"poll": "q0.receive", "count": 4})",
        R"({"order": ["A.s", "A.last"]}, {"completion": "B.r", "status": "success"})");
    // Doorbells of A: the chain's, that of the receive, and the arm.
    CHECK(run.metric("A.nic.doorbell.doorbells") == 3);
    CHECK(run.metric("A.nic.wqe.messages") == 4);
}

TEST_CASE("defer: a silent request in a chain completes nothing if it succeeds", "[K48]") {
    const ChildResult run = run_pair(
        R"({"post": "send", "buffer": "tx", "size": "64 B", "flags": ["defer", "silent_success"]},
           {"post": "send", "buffer": "tx", "size": "64 B", "as": "last"}, {"poll": "q0.send"}, {"sleep": "20 us"})",
        R"({"post": "receive", "buffer": "rx", "size": "64 B", "count": 2}, {"poll": "q0.receive", "count": 2})",
        R"({"completion": "A.last", "status": "success"})");
    CHECK(run.metric("A.nic.cq.cqes") == 1);
}

TEST_CASE("defer: a silent request in a chain completes if it fails", "[K48]") {
    run_pair(R"({"post": "send", "buffer": "tx", "size": "128 B", "flags": ["defer", "silent_success"], "as": "fails"},
                {"post": "send", "buffer": "tx", "size": "64 B", "as": "last"}, {"poll": "q0.send", "count": 2})",
             R"({"post": "receive", "buffer": "rx", "size": "64 B"}, {"poll": "q0.receive"})",
             R"({"completion": "A.fails", "status": "remote_resources"},
                {"completion": "A.last", "status": "cancelled"})");
}

TEST_CASE("post: a slot comes back when its completion is polled, and a refusal changes nothing",
          "[K58][K23][X70][limit]") {
    const ChildResult run = run_pair(
        R"({"post": "send", "buffer": "tx", "size": "64 B", "as": "first"}, {"sleep": "100 us"},
           {"post": "send", "buffer": "tx", "size": "64 B"},
           {"poll": "q0.send"}, {"post": "send", "buffer": "tx", "size": "64 B", "as": "second"}, {"poll": "q0.send"})",
        R"({"post": "receive", "buffer": "rx", "size": "64 B", "count": 2, "as": "r"},
           {"poll": "q0.receive", "count": 2}, {"sleep": "50 us"})",
        R"({"completion": "A.first", "status": "success"}, {"completion": "A.second", "status": "success"})",
        {"hosts.A.qps.q0.sq.depth=1"});
    CHECK(run.metric("programs.A.refused") == 1);
    CHECK(run.metric("A.nic.cq.cqes") == 2);
}

// The Write behind it on the same queue arrives right after the Send, before B can have polled anything.
TEST_CASE("send and invalidate: an access right behind it is refused", "[K110][X34]") {
    run_pair(R"({"post": "write", "buffer": "tx", "size": "64 B", "to": "B.w", "as": "before"},
                {"post": "send_and_invalidate", "buffer": "tx", "size": "64 B", "invalidates": "B.w", "as": "done"},
                {"post": "write", "buffer": "tx", "size": "64 B", "to": "B.w", "as": "after"},
                {"poll": "q0.send", "count": 3})",
             R"({"post": "receive", "buffer": "far", "size": "64 B", "as": "r"},
                {"post": "bind", "memory": "w", "buffer": "rx", "allow": ["remote_write"]}, {"poll": "q0.send"},
                {"poll": "q0.receive"})",
             R"({"completion": "A.before", "status": "success"}, {"completion": "A.done", "status": "success"},
                {"completion": "B.r", "status": "success"}, {"completion": "A.after", "status": "remote_resources"})");
}

TEST_CASE("send and invalidate: takes all flags of a Send", "[K117]") {
    const ChildResult run = run_pair(
        R"({"post": "send_and_invalidate", "buffer": "tx", "size": "64 B", "invalidates": "B.w",
            "flags": ["inline", "solicit", "read_fence", "silent_success", "defer"]},
           {"post": "send", "buffer": "tx", "size": "64 B", "as": "last"}, {"poll": "q0.send"})",
        R"({"post": "receive", "buffer": "far", "size": "64 B", "count": 2, "as": "r"},
           {"post": "bind", "memory": "w", "buffer": "rx", "allow": ["remote_write"]}, {"poll": "q0.send"},
           {"arm": "q0.receive", "for": "solicited"}, {"wait": "q0.receive"}, {"poll": "q0.receive", "count": 2})",
        R"({"completion": "B.r[0]", "status": "success", "bytes": 64}, {"completion": "A.last", "status": "success"})");
    CHECK(run.metric("A.nic.cq.cqes") == 1);
}

// Timer code 1 is 10 us. Without retries the Send fails within a round trip; with endless ones it waits for B.
TEST_CASE("receive: none posted fails at once without retries, and waits with endless ones", "[X69]") {
    const std::string a = R"({"post": "send", "buffer": "tx", "size": "64 B", "as": "s"}, {"poll": "q0.send"})";
    run_pair(a, R"({"sleep": "300 us"})", R"({"completion": "A.s", "status": "io_timeout", "within": "9 us"})",
             {"nic.overflow=terminate", "nic.rnr_timer=1"});
    run_pair(a, R"({"sleep": "300 us"}, {"post": "receive", "buffer": "rx", "as": "r"}, {"poll": "q0.receive"})",
             R"({"completion": "A.s", "status": "success"}, {"completion": "B.r", "status": "success", "bytes": 64})",
             {"nic.overflow=rnr", "nic.rnr_retry=7", "nic.rnr_timer=1"});
}

}  // namespace ndsim::test::order_rules_test
