// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/scenarios/forecast/support.hpp"

// Programs that can never end, requests that never begin, and how a run surely ends.

namespace ndsim::test::ends_test {

const std::string kSleep = R"({"sleep": "200 us"}, )";
const std::string kTakesOne = R"({"post": "receive", "buffer": "m"}, {"poll": "q0.receive"})";

SureEnd end_of(const Pair& pair) {
    return foresee(load_scenario("draft.json", pair.text())).end;
}

void check_never_ends(const Pair& pair, const std::string& path) {
    const Foreseen found = only(pair);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::never_ends);
    CHECK(found.path == path);
    CHECK(end_of(pair) == SureEnd::waiting);
}

TEST_CASE("forecast: a poll for more completions than there are requests never ends") {
    check_never_ends(
        {.a = kSleep + R"({"post": "send", "buffer": "m"}, {"poll": "q0.send", "count": 2})", .b = kTakesOne},
        "programs.A[2]");
}

// [K52] What succeeds silently has no completion.
TEST_CASE("forecast: a poll for the completion of a silent request never ends") {
    check_never_ends(
        {.a = kSleep + R"({"post": "send", "buffer": "m", "flags": ["silent_success"]}, {"poll": "q0.send"})",
         .b = kTakesOne},
        "programs.A[2]");
}

// B waits for A's message, and A for B's, and neither sends before it has got the other's.
TEST_CASE("forecast: two programs that wait for each other never end") {
    const std::string each =
        R"({"post": "receive", "buffer": "m"}, {"poll": "q0.receive"}, {"post": "send", "buffer": "m"})";
    const Forecast forecast = foreseen_of(Pair{.a = each, .b = each});
    REQUIRE(forecast.foreseen.size() == 2);
    for (const Foreseen& one : forecast.foreseen) {
        CHECK(one.certainty == Certainty::will);
        CHECK(one.kind == ForeseenKind::never_ends);
    }
    CHECK(forecast.foreseen[0].path == "programs.A[1]");
    CHECK(forecast.foreseen[1].path == "programs.B[1]");
}

// [K67] One arm is good for one notification.
TEST_CASE("forecast: a second wait for the notification of one arm never ends") {
    check_never_ends(
        {.a = kSleep + R"({"post": "send", "buffer": "m"}, {"poll": "q0.send"})",
         .b =
             R"({"post": "receive", "buffer": "m"}, {"arm": "q0.receive"}, {"wait": "q0.receive"}, {"wait": "q0.receive"})"},
        "programs.B[3]");
}

TEST_CASE("forecast: a program that spins on a byte to which nothing is written never ends") {
    check_never_ends({.a = R"({"sleep": "1 us"})", .b = R"({"spin": "m", "size": "8 B"})"}, "programs.B[0]");
}

TEST_CASE("forecast: an accept to which nobody connects any more never ends") {
    check_never_ends({.a = kSleep + R"({"connect": "q0"})", .b = R"({"accept": "q0"}, {"accept": "q0"})"},
                     "programs.B[1]");
}

// The message fails at once. A flush that comes before that keeps the peer from hearing of the failure, and its poll
// never ends; one behind the message's completion does not. What follows from a finding that timing decides about is
// not told.
TEST_CASE("forecast: what follows a poll is not certain if its peer flushes a request that may fail") {
    const std::string refused = R"({"post": "write", "buffer": "m", "to": "B.m", "flags": ["solicit"]})";
    const std::string of_a = R"({"sleep": "200 us"}, {"post": "receive", "buffer": "m"}, {"poll": "q0.receive"}, )";
    const std::string sends = R"({"sleep": "100 us"}, {"post": "send", "buffer": "m"})";
    const std::string polls = R"(, {"poll": "q0.send"})";
    const std::string flushes = R"(, {"flush": "q0"})";
    const auto is_certain = [&](const std::string& of_b) {
        const Forecast forecast = foreseen_of({.a = of_a + refused, .b = of_b});
        return std::ranges::any_of(forecast.foreseen, [](const Foreseen& one) {
            return one.kind == ForeseenKind::refused && one.certainty == Certainty::will;
        });
    };
    CHECK(is_certain(sends + polls));
    CHECK(is_certain(sends + polls + flushes));
    CHECK(!is_certain(sends + flushes));
}

// Deferred requests wait for one that is not.
TEST_CASE("forecast: a deferred request with nothing behind it never begins") {
    const Pair pair{.a = kSleep + R"({"post": "send", "buffer": "m", "flags": ["defer"], "as": "s"})",
                    .b = R"({"post": "receive", "buffer": "m"})"};
    const Foreseen found = only(pair);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::never_begins);
    CHECK(found.request == "A.s");
    CHECK(end_of(pair) == SureEnd::unknown);  // the programs end
}

TEST_CASE("forecast: sleeps that are longer than limits.time end the run") {
    const Pair pair{
        .a = R"({"repeat": 3, "do": [{"sleep": "400 us"}]})", .b = "", .members = R"("limits": {"time": "1 ms"})"};
    const Foreseen found = only(pair);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::limit);
    CHECK(end_of(pair) == SureEnd::limit);
}

// The NAK asks for 0.64 ms, for which the hardware waits after the program's end.
TEST_CASE("forecast: a limit that comes while only the hardware works is told") {
    const Pair pair{.a = R"({"post": "send", "buffer": "m"})",
                    .b = R"({"sleep": "1 us"})",
                    .members = R"("profile": "infiniband", "limits": {"time": "200 us"})"};
    const Foreseen found = only(pair);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::limit);
    CHECK(found.what == "limits.time will end the run: every program has ended by then, and the hardware has not");
    CHECK(end_of(pair) == SureEnd::limit);
}

// A never comes to its sleep.
TEST_CASE("forecast: a sleep behind a wait without end is not what ends the run") {
    const Pair pair{.a = R"({"poll": "q0.send"}, {"sleep": "2 ms"})",
                    .b = R"({"sleep": "1 us"})",
                    .members = R"("limits": {"time": "1 ms"})"};
    const Foreseen found = only(pair);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::never_ends);
    CHECK(end_of(pair) == SureEnd::waiting);
}

// A sends each packet once. Packet 1 is its first message of the set-up; packet 3 is one that the program sends, or
// with another timing an acknowledgement. What follows on the dead socket is not told.
TEST_CASE("forecast: a socket whose packet is lost for good breaks its connection") {
    const std::string send = R"({"post": "send", "buffer": "m", "size": "8 B", "count": 3, "as": "s"}, {"sleep": "1 s"},
                                {"post": "send", "buffer": "m", "size": "8 B", "as": "late"}, {"disconnect": "q0"})";
    Pair pair{.a = send,
              .b = R"({"post": "receive", "buffer": "m", "size": "24 B", "as": "r"})",
              .host_a = R"("api": "wsd", "nic": {"retry_count": 0})",
              .host_b = R"("api": "wsd")",
              .members = R"("faults": [{"drop": "A", "packet": 1}])"};
    const Foreseen unmade = only(pair);
    CHECK(unmade.certainty == Certainty::will);
    CHECK(unmade.what ==
          "A.s[0] will be refused with connection_invalid: the connection has ended by an error: packets were "
          "lost, or not answered in time, until no retry was left");
    CHECK(end_of(pair) == SureEnd::broken);
    pair.members = R"("faults": [{"drop": "A", "packet": 3}])";
    const Foreseen later = only(pair);
    CHECK(later.what ==
          "A.late may be refused with connection_aborted: the connection has ended by an error: packets were "
          "lost, or not answered in time, until no retry was left");
}

// The third message fails with io_timeout: that may be expected, and success may not.
TEST_CASE("forecast: an expectation that will not be met ends the run so") {
    Pair pair{.a = kSleep + R"({"post": "send", "buffer": "m", "as": "s"}, {"poll": "q0.send"})",
              .b = R"({"sleep": "1 us"})"};
    CHECK(only(pair).request == "A.s");
    CHECK(end_of(pair) == SureEnd::broken);  // nobody has asked for that
    pair.members = R"("expect": [{"completion": "A.s", "status": "io_timeout"}])";
    CHECK(only(pair).request == "A.s");
    CHECK(end_of(pair) == SureEnd::unknown);
    pair.members = R"("expect": [{"metric": "A.ndk.connection_errors", "at_least": 1}])";
    CHECK(only(pair).request == "A.s");
    CHECK(end_of(pair) == SureEnd::unknown);
    pair.members = R"("expect": [{"completion": "A.s", "status": "success"}])";
    const Forecast unmet = foreseen_of(pair);
    REQUIRE(unmet.foreseen.size() == 2);
    CHECK(unmet.foreseen[0].path == "expect[0]");  // the first in the file
    CHECK(unmet.foreseen[1].request == "A.s");
    CHECK(unmet.end == SureEnd::unmet);
}

// B's Read fails and ends the connection; A's Write succeeds if it is faster, and then only the end was not expected.
TEST_CASE("forecast: a run that fails in one way or another surely fails") {
    const Scenario scenario = load_scenario("draft.json", R"({
        "hosts": {"A": {"buffers": {"tx": {}}, "memory": {"w": {}}}, "B": {"buffers": {"rx": {}}}},
        "programs": {
            "A": [{"post": "write", "buffer": "tx", "size": "64 B", "to": "B.rx", "as": "good"}, {"poll": "q0.send"}],
            "B": [{"post": "read", "buffer": "rx", "size": "4 KiB", "from": "A.w", "as": "bad"}]},
        "expect": [{"completion": "A.good", "status": "success"}]})");
    CHECK(foresee(scenario).end == SureEnd::unmet_or_broken);
}

}  // namespace ndsim::test::ends_test
