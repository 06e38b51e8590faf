// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "tests/scenarios/forecast/support.hpp"

// The limits of the runs that a forecast stands on, and parts of a scenario that only a run can follow.

namespace ndsim::test::runs_test {

const std::string kSleep = R"({"sleep": "200 us"}, )";
const std::string kTakesOne = R"({"post": "receive", "buffer": "m"}, {"poll": "q0.receive"})";

Forecast forecast_of(const Pair& pair) {
    return foresee(load_scenario("draft.json", pair.text()));
}

// A host's program that arms a queue takes no work item, so only the count of operations ends it.
TEST_CASE("forecast: of programs that do too much, only what they do before that is foreseen") {
    for (const std::string endless : {R"({"arm": "q0.send"})", R"({"sleep": "1 ns"})"}) {
        const Forecast forecast = forecast_of(
            {.a = R"({"post": "bind", "memory": "w", "buffer": "m"}, {"repeat": 1000000, "do": [)" + endless + "]}",
             .b = kTakesOne,
             .host_a = R"("memory": {"w": {"kind": "window"}})"});
        CHECK(only(forecast).kind == ForeseenKind::refused);  // a bind that gives the peer no right
        REQUIRE(forecast.not_followed.size() == 1);
        CHECK(forecast.not_followed.front().path == "programs");
        CHECK(forecast.end == SureEnd::unknown);  // B waits for ever, but the runs do not get that far
    }
}

// The hosts connect for longer than the run may last, so no program begins. B's program is empty.
TEST_CASE("forecast: a set-up that takes longer than limits.time ends the run before any program") {
    const Forecast forecast = forecast_of(
        Pair{.a = R"({"post": "send", "buffer": "m"})", .b = "", .members = R"("limits": {"time": "40 us"})"});
    const Foreseen found = only(forecast);
    CHECK(found.kind == ForeseenKind::limit);
    CHECK(found.path == "programs.A[0]");
    CHECK(found.what == "limits.time will end the run: A is still being set up by then");
    CHECK(forecast.end == SureEnd::limit);
}

TEST_CASE("forecast: a program that is busy beyond limits.time ends the run there") {
    const Pair pair{
        .a = R"({"repeat": 100, "do": [{"post": "write", "buffer": "m", "to": "B.m"}, {"poll": "q0.send"}]})",
        .b = "",
        .members = R"("limits": {"time": "300 us"})"};  // set-up alone takes more than 200 us
    const Forecast forecast = forecast_of(pair);
    CHECK(only(forecast).kind == ForeseenKind::limit);
    CHECK(forecast.end == SureEnd::limit);
}

TEST_CASE("forecast: a request of a loop is named by its number among those of its operation") {
    const Foreseen found = only(Pair{
        .a = kSleep + R"({"repeat": 3, "do": [{"post": "send", "buffer": "m", "size": "8 B"}, {"poll": "q0.send"}]})",
        .b = R"({"post": "receive", "buffer": "m"}, {"post": "receive", "buffer": "m"}, {"poll": "q0.receive"})"});
    CHECK(found.certainty == Certainty::will);
    CHECK(found.what.starts_with("send 3 of programs.A[1].do[0] will fail with io_timeout: B posts 2 receives to q0"));
}

// A Send of q0 and one of q1 come to B just before their receives, which a slow A avoids. The failure of the first does
// not follow from any other, and the wait for the data of the second is that of the scenario's own timing.
TEST_CASE("forecast: the scenario's own stall is told behind something else that timing decides") {
    const Forecast forecast =
        foreseen_of({.a = kSleep + R"({"post": "send", "buffer": "m", "size": "8 B"}, {"sleep": "100 us"}, )" +
                          R"({"post": "send", "qp": "q1", "buffer": "m", "size": "8 B"})",
                     .b = R"({"sleep": "203 us"}, {"post": "receive", "buffer": "m", "size": "8 B"}, )"
                          R"({"sleep": "100 us"}, )"
                          R"({"post": "receive", "qp": "q1", "buffer": "m", "offset": "64 B", "size": "8 B"}, )"
                          R"({"spin": "m", "offset": "64 B", "size": "8 B"})",
                     .host_a = R"("nic": {"rnr_retry": 0})"});
    std::map<ForeseenKind, std::size_t> kinds;
    for (const Foreseen& one : forecast.foreseen) {
        CHECK(one.certainty == Certainty::may);
        ++kinds[one.kind];
    }
    CHECK(kinds[ForeseenKind::fails] >= 1);
    CHECK(kinds[ForeseenKind::never_ends] == 1);
}

// Without an answer the request fails when its time-outs are over.
TEST_CASE("forecast: a link that goes down fails the requests behind that") {
    const Foreseen found = only(Pair{.a = kSleep + R"({"post": "send", "buffer": "m", "as": "s"}, {"poll": "q0.send"})",
                                     .b = R"({"post": "receive", "buffer": "m"})",
                                     .members = R"("faults": [{"down": "l0", "from": "1 us"}])"});
    CHECK(found.certainty == Certainty::will);
    CHECK(found.request == "A.s");
    CHECK(found.what.find("until no retry was left") != std::string::npos);
}

TEST_CASE("forecast: programs are run without the generators beside them, and that is said") {
    const Forecast forecast = forecast_of(
        {.a = kSleep + R"({"post": "send", "buffer": "m", "size": "8 B"}, {"poll": "q0.send", "count": 2})",
         .b = kTakesOne,
         .members = R"("traffic": {"t": {"from": "A.q1", "to": "B.q1", "size": "64 B", "count": 1000000000}})"});
    CHECK(only(forecast).kind == ForeseenKind::never_ends);
    REQUIRE(forecast.not_followed.size() == 1);
    CHECK(forecast.not_followed.front().path == "traffic");
}

// The stream has 8 bytes, and stays open.
TEST_CASE("forecast: a socket that receives more than its peer sends waits forever") {
    const std::string wsd = R"("api": "wsd")";
    const Forecast forecast = forecast_of({.a = R"({"post": "send", "buffer": "m", "size": "8 B"})",
                                           .b = R"({"post": "receive", "buffer": "m", "size": "16 B"})",
                                           .host_a = wsd,
                                           .host_b = wsd});
    const Foreseen found = only(forecast);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.kind == ForeseenKind::never_ends);
    CHECK(found.path == "programs.B[0]");
}

// Of five completions four fit: the advice has the depth at which a run has no overrun.
TEST_CASE("forecast: the advice about an overrun has the depth that is enough") {
    const auto text = [](std::uint32_t depth) {
        return Pair{
            .a = kSleep +
                 R"({"post": "send", "buffer": "m", "size": "8 B", "count": 9}, {"poll": "q0.send", "count": 9})",
            .b = R"({"post": "receive", "buffer": "m", "count": 9}, {"sleep": "1 ms"})",
            .host_b = R"("nic": {"cq": {"depth": )" + std::to_string(depth) + "}}"};
    };
    const Foreseen found = only(text(4));
    CHECK(found.kind == ForeseenKind::overruns);
    CHECK(found.advice == "poll it, or raise hosts.B.nic.cq.depth from 4 to 9");
    check_nothing(foreseen_of(text(9)));
}

// A slow host finds all six at its first poll, also where the scenario's own timing needs less.
TEST_CASE("forecast: the advice about an overrun has the depth that is enough for slow software, too") {
    const auto text = [](std::uint32_t depth) {
        return Pair{
            .a = kSleep +
                 R"({"post": "send", "buffer": "m", "size": "8 B", "count": 6}, {"poll": "q0.send", "count": 6})",
            .b = R"({"post": "receive", "buffer": "m", "count": 6}, {"poll": "q0.receive", "count": 6})",
            .host_b = R"("nic": {"cq": {"depth": )" + std::to_string(depth) + "}}"};
    };
    for (const std::uint32_t depth : {1U, 2U, 3U, 4U}) {
        INFO(depth);
        const std::vector<Foreseen> foreseen = forecast_of(text(depth)).foreseen;
        const auto found = std::ranges::find(foreseen, ForeseenKind::overruns, &Foreseen::kind);
        REQUIRE(found != foreseen.end());
        CHECK(found->advice == "raise hosts.B.nic.cq.depth from " + std::to_string(depth) + " to 6");
    }
    check_nothing(foreseen_of(text(6)));
}

TEST_CASE("forecast: an expectation that no run meets is named, with what was found") {
    const Foreseen found =
        only(Pair{.a = kSleep + R"({"post": "send", "buffer": "m", "size": "8 B", "as": "s"}, {"poll": "q0.send"})",
                  .b = R"({"post": "receive", "buffer": "m", "as": "r"}, {"poll": "q0.receive"})",
                  .members = R"("expect": [{"completion": "A.s", "status": "success"},
                                  {"completion": "B.r", "status": "success", "bytes": 64}])"});
    CHECK(found.kind == ForeseenKind::unmet);
    CHECK(found.certainty == Certainty::will);
    CHECK(found.path == "expect[1]");
    CHECK(found.what.starts_with(
        "the expectation \"B.r completes with success, 64 bytes\" will not be met: found success, 8 bytes, after "));
}

// Three hundred posts and polls take more than 100 items.
TEST_CASE("forecast: limits.items is told as the scenario's own where it cuts the programs off") {
    const Pair pair{
        .a = R"({"repeat": 300, "do": [{"post": "write", "buffer": "m", "to": "B.m"}, {"poll": "q0.send"}]})",
        .members = R"("limits": {"items": 100})"};
    const Forecast forecast = foresee(load_scenario("draft.json", pair.text()));
    REQUIRE(forecast.not_followed.size() == 1);
    CHECK(forecast.not_followed[0].why == "limits.items ends them, 100 work items");
}

// A writes 3 us before B does, and a slow A may write after B.
TEST_CASE(
    "forecast: an expectation that the scenario's own timing breaks is told, and not one that slow software breaks") {
    const auto expecting = [](const std::string& order) {
        const auto writes_at = [](const std::string& time, const std::string& to, const std::string& as) {
            return R"({"sleep": ")" + time + R"("}, {"post": "write", "buffer": "m", "size": "8 B", "to": ")" + to +
                   R"(.m", "as": ")" + as + R"("}, {"poll": "q0.send"})";
        };
        return foreseen_of({.a = writes_at("200 us", "B", "s"),
                            .b = writes_at("203 us", "A", "t"),
                            .members = R"("expect": [{"order": [)" + order + "]}]"});
    };
    check_nothing(expecting(R"("A.s", "B.t")"));
    const Foreseen found = only(expecting(R"("B.t", "A.s")"));
    CHECK(found.kind == ForeseenKind::unmet);
    CHECK(found.certainty == Certainty::may);
    CHECK(found.path == "expect[0]");
}

}  // namespace ndsim::test::runs_test
