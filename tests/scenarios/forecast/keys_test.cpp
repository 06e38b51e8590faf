// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/forecast/support.hpp"

// Writes and Reads whose peer does not let them, windows in the wrong state, connections that programs make.

namespace ndsim::test::keys_test {

const std::string kSleep = R"({"sleep": "200 us"}, )";
const std::string kWindow = R"("memory": {"w": {"kind": "window"}})";
const std::string kBind =
    R"({"post": "bind", "memory": "w", "buffer": "m", "allow": ["remote_write"], "as": "b"}, {"poll": "q0.send"})";

// The peer refuses what reaches beyond its region: 4096 B from 64 on are 64 too many.
TEST_CASE("forecast: a write beyond the peer's buffer will fail") {
    const Foreseen found = only(Pair{
        .a =
            R"({"post": "write", "buffer": "m", "size": "4 KiB", "to": "B.m", "to_offset": "64 B", "as": "w"}, {"poll": "q0.send"})",
        .b = ""});
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::fails);
    CHECK(found.request == "A.w");
    CHECK(found.statuses == std::vector<std::string>{"remote_resources"});
}

TEST_CASE("forecast: a write through a window that nothing opens will fail") {
    const Foreseen found = only(
        Pair{.a = R"({"post": "write", "buffer": "m", "size": "64 B", "to": "B.w", "as": "w"}, {"poll": "q0.send"})",
             .b = R"({"sleep": "1 us"})",
             .host_b = kWindow});
    CHECK(found.certainty == Certainty::will);
    CHECK(found.request == "A.w");
    CHECK(found.statuses == std::vector<std::string>{"remote_resources"});
}

// The window is bound at about the time of the write, or 200 us before it.
TEST_CASE("forecast: whether a window is open in time is told from a sleep that is long enough") {
    const std::string write =
        R"({"post": "write", "buffer": "m", "size": "64 B", "to": "B.w", "as": "w"}, {"poll": "q0.send"})";
    const Foreseen found = only(Pair{.a = write, .b = kBind, .host_b = kWindow});
    CHECK(found.certainty == Certainty::may);
    CHECK(found.request == "A.w");
    check_nothing(foreseen_of(Pair{.a = kSleep + write, .b = kBind, .host_b = kWindow}));
}

// A window that is bound is bound again: NDKPI's hardware finds that, NDSPI's driver.
TEST_CASE("forecast: a bind of a window that is bound will fail, or be refused") {
    const std::string again =
        kBind + R"(, {"post": "bind", "memory": "w", "buffer": "m", "allow": ["remote_write"], "as": "again"})";
    const Foreseen fails =
        only(Pair{.a = R"({"sleep": "1 us"})", .b = again + R"(, {"poll": "q0.send"})", .host_b = kWindow});
    CHECK(fails.certainty == Certainty::will);
    CHECK(fails.kind == ForeseenKind::fails);
    CHECK(fails.request == "B.again");
    CHECK(fails.statuses == std::vector<std::string>{"invalid_device_request"});
    const Foreseen refused =
        only(Pair{.a = R"({"sleep": "1 us"})", .b = again, .host_b = R"("api": "ndspi2", )" + kWindow});
    CHECK(refused.certainty == Certainty::will);
    CHECK(refused.kind == ForeseenKind::refused);
    CHECK(refused.request == "B.again");
}

// [K131] NDKPI looks at its range when it is posted, NDSPI leaves that to the NIC.
TEST_CASE("forecast: a bind of no bytes will be refused, or fail") {
    const std::string bind =
        R"({"post": "bind", "memory": "w", "buffer": "m", "size": "0 B", "allow": ["remote_write"], "as": "s"})";
    const Foreseen refused = only(Pair{.a = R"({"sleep": "1 us"})", .b = bind, .host_b = kWindow});
    CHECK(refused.certainty == Certainty::will);
    CHECK(refused.kind == ForeseenKind::refused);
    CHECK(refused.statuses == std::vector<std::string>{"invalid_parameter"});
    const Foreseen failed =
        only(Pair{.a = R"({"sleep": "1 us"})", .b = bind, .host_b = R"("api": "ndspi2", )" + kWindow});
    CHECK(failed.certainty == Certainty::will);
    CHECK(failed.kind == ForeseenKind::fails);
    CHECK(failed.statuses == std::vector<std::string>{"invalid_device_request"});  // R111
}

// B opens its window to one use; A asks for another one 200 us later.
TEST_CASE("forecast: an open window that refuses a request is said to be open for something else") {
    const auto why = [](const std::string& bind, const std::string& request, const std::string& more = "") {
        return only(Pair{.a = kSleep + R"({"post": )" + request + R"(, "as": "x"}, {"poll": "q0.send"})",
                         .b = R"({"post": "bind", "memory": "w", "buffer": "m", "size": "1 KiB", "allow": [")" + bind +
                              R"("]}, {"poll": "q0.send"})" + more,
                         .host_b = kWindow})
            .what;
    };
    const std::string write = R"("write", "buffer": "m", "size": "64 B", "to": "B.w")";
    CHECK(why("remote_read", write) ==
          "A.x will fail with remote_resources: programs.B[0] opens B.w without remote_write");
    CHECK(why("remote_write", R"("read", "buffer": "m", "size": "64 B", "from": "B.w")") ==
          "A.x will fail with remote_resources: programs.B[0] opens B.w without remote_read");
    CHECK(why("remote_write", write + R"(, "to_offset": "1000 B")") ==
          "A.x will fail with remote_resources: 64 bytes at 1000 reach beyond the end of the 1024 bytes that "
          "programs.B[0] opens");
    CHECK(why("remote_write", write, R"(, {"post": "invalidate", "memory": "w"}, {"poll": "q0.send"})") ==
          "A.x will fail with remote_resources: B.w is open no longer, as programs.B[2] has invalidated it");
}

// [K140] The Read's own side invalidates the key of its sink; B has waited for A's message about the region.
TEST_CASE("forecast: a region that a Read has invalidated is open no longer") {
    const Foreseen found = only(Pair{.a = R"({"sleep": "200 us"},
                {"post": "fast_register", "memory": "f", "buffer": "m", "allow": ["local_write", "remote_read"]},
                {"post": "read", "sgl": [{"buffer": "f", "size": "64 B"}], "from": "B.m", "flags": ["local_invalidate"]},
                {"poll": "q0.send", "count": 2}, {"post": "send", "buffer": "m", "size": "8 B"}, {"poll": "q0.send"})",
                                     .b = R"({"post": "receive", "buffer": "m"}, {"poll": "q0.receive"},
                {"post": "read", "buffer": "m", "size": "64 B", "from": "A.f", "as": "r"}, {"poll": "q0.send"})",
                                     .host_a = R"("memory": {"f": {"kind": "fast_register"}})"});
    CHECK(found.what ==
          "B.r will fail with remote_resources: A.f is open no longer, as programs.A[2] has invalidated it");
}

// The message is executed while the responses of 1 MiB, 84 us of the wire, are still read from the window.
TEST_CASE("forecast: a SendAndInvalidate that does not wait for the Read before it closes what that reads", "[X47]") {
    const Foreseen found = only(foreseen_of(R"({"hosts": {
            "A": {"buffers": {"m": {"size": "1 MiB"}}},
            "B": {"buffers": {"m": {"size": "1 MiB"}}, "memory": {"w": {}}}},
        "programs": {
            "A": [{"sleep": "200 us"}, {"post": "read", "buffer": "m", "from": "B.w", "as": "r"},
                  {"post": "send_and_invalidate", "buffer": "m", "size": "64 B", "invalidates": "B.w"},
                  {"poll": "q0.send", "count": 2}],
            "B": [{"post": "receive", "buffer": "m"},
                  {"post": "bind", "memory": "w", "buffer": "m", "allow": ["remote_read"]}, {"poll": "q0.send"},
                  {"poll": "q0.receive"}]}})"));
    CHECK(found.what ==
          "A.r will fail with remote_resources: B.w is open no longer, as programs.A[2] invalidates it under way");
    CHECK(found.advice == R"(add read_fence to the "flags" of programs.A[2])");
}

// A comes before B has bound the window. What waits for the Read has not closed anything.
TEST_CASE("forecast: a SendAndInvalidate behind a fence is no reason for the failure of the Read") {
    const Forecast forecast =
        foreseen_of(Pair{.a = R"({"post": "read", "buffer": "m", "size": "64 B", "from": "B.w", "as": "r"},
                {"post": "send_and_invalidate", "buffer": "m", "size": "64 B", "invalidates": "B.w",
                 "flags": ["read_fence"]}, {"poll": "q0.send", "count": 2})",
                         .b = R"({"post": "receive", "buffer": "m"}, {"sleep": "100 us"},
                {"post": "bind", "memory": "w", "buffer": "m", "allow": ["remote_read"]}, {"poll": "q0.send"})",
                         .host_b = kWindow});
    REQUIRE_FALSE(forecast.foreseen.empty());
    CHECK(forecast.foreseen.front().what == "A.r will fail with remote_resources: B.w is not open at that time");
}

// [X39] A window serves the queue pair that has bound it.
TEST_CASE("forecast: a window that another queue pair has bound") {
    const Foreseen found =
        only(Pair{.a = kSleep + R"({"post": "write", "qp": "q1", "buffer": "m", "size": "64 B", "to": "B.w", "as": "x"},
                             {"poll": "q1.send"})",
                  .b = R"({"post": "bind", "qp": "q0", "memory": "w", "buffer": "m", "allow": ["remote_write"]},
                     {"poll": "q0.send"})",
                  .host_a = R"("qps": {"q0": {}, "q1": {}})",
                  .host_b = kWindow + R"(, "qps": {"q0": {}, "q1": {}})"});
    CHECK(found.what == "A.x will fail with remote_resources: B.w is open to the peer of B.q0 only");
    CHECK(found.advice == "bind it on B.q1 at programs.B[0]");
}

// [X38] B's NIC does not answer a message whose key it cannot invalidate.
TEST_CASE("forecast: a SendAndInvalidate of a window that is not open, by the codes of either profile") {
    for (const std::string profile : {"documented", "infiniband"}) {
        const Foreseen found = only(Pair{.a = kSleep + R"({"post": "send_and_invalidate", "buffer": "m", "size": "64 B",
                                        "invalidates": "B.w", "as": "x"}, {"poll": "q0.send"})",
                                         .b = R"({"post": "receive", "buffer": "m"})",
                                         .host_b = kWindow,
                                         .members = R"("profile": ")" + profile + "\""});
        INFO(found.what);
        CHECK(found.request == "A.x");
        CHECK(found.what.ends_with(": B.w: nothing opens it"));
    }
}

// [K173] NDKPI refuses it at the post.
TEST_CASE("forecast: a Read where the two ends have agreed on none will be refused") {
    const Foreseen found =
        only(Pair{.a = R"({"post": "read", "buffer": "m", "size": "64 B", "from": "B.m", "as": "r"})",
                  .b = "",
                  .host_a = R"("qps": {"q0": {"outbound_reads": 0}})",
                  .host_b = R"("qps": {"q0": {}})"});
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::refused);
    CHECK(found.request == "A.r");
    CHECK(found.statuses == std::vector<std::string>{"invalid_device_request"});
}

// A.w is opened twice, closed before it is open, or used behind its end. B's receive names memory that nothing opens.
TEST_CASE("forecast: the reason of a failure names the operation that has changed the memory, or has not") {
    const auto found = [](const std::string& a, const std::string& b = "") {
        const std::string memory = R"("memory": {"f": {"kind": "fast_register"}})";
        return only(Pair{.a = a, .b = b, .host_a = memory, .host_b = memory}).what;
    };
    const std::string open = R"({"post": "fast_register", "memory": "f", "buffer": "m"}, )";
    const std::string again = R"({"post": "fast_register", "memory": "f", "buffer": "m", "as": "o"}, )";
    const std::string shut = R"({"post": "invalidate", "memory": "f", "as": "i"}, )";
    const std::string use = R"({"post": "write", "buffer": "f", "size": "8 B", "to": "B.m", "as": "w"}, )";
    const auto poll = [](int count) { return R"({"poll": "q0.send", "count": )" + std::to_string(count) + "}"; };
    CHECK(found(open + again + poll(2)) ==
          "A.o will fail with invalid_device_request: A.f is open since programs.A[0]");
    CHECK(found(shut + poll(1)) == "A.i will fail with invalid_device_request: nothing has opened A.f by then");
    CHECK(found(open + shut + use + poll(3)) ==
          "A.w will fail with access_violation: A.f is open no longer, as programs.A[1] has invalidated it");
    CHECK(found(kSleep + R"({"post": "send", "buffer": "m", "size": "8 B", "as": "s"}, )" + poll(1),
                R"({"post": "receive", "buffer": "f", "size": "8 B", "as": "r"}, {"poll": "q0.receive"})") ==
          "A.s will fail with remote_resources: B.r at programs.B[0], the receive that it takes, fails with "
          "access_violation");
}

// B listens 200 us after A has asked, and a question takes a few microseconds.
TEST_CASE("forecast: a connect for which nobody listens by then will be refused") {
    const Forecast forecast =
        foreseen_of(Pair{.a = R"({"connect": "q0", "as": "early"}, {"sleep": "1 ms"}, {"connect": "q0", "as": "c"})",
                         .b = kSleep + R"({"accept": "q0"})"});
    const Foreseen found = only(forecast);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::refused);
    CHECK(found.request == "A.early");
    CHECK(found.statuses == std::vector<std::string>{"connection_refused"});
}

// A queue pair that has been disconnected carries nothing any more.
TEST_CASE("forecast: a post behind the program's own disconnect will be refused") {
    const Foreseen found = only(Pair{.a = R"({"disconnect": "q0"}, {"post": "send", "buffer": "m", "as": "late"})",
                                     .b = R"({"disconnect": "q0"})"});
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::refused);
    CHECK(found.request == "A.late");
    CHECK(found.statuses == std::vector<std::string>{"connection_invalid"});
}

}  // namespace ndsim::test::keys_test
