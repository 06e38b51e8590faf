// SPDX-License-Identifier: Apache-2.0
#include "tests/scenarios/forecast/support.hpp"

using namespace ndsim;
using namespace ndsim::test;

// Writes and Reads whose peer does not let them, windows in the wrong state, connections that programs make.
namespace keys_test {

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

}  // namespace keys_test
