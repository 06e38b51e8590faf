// SPDX-License-Identifier: Apache-2.0
#include <regex>

#include "scenarios/format/load.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::ends_test {

TEST_CASE("a program that waits for what can never come is named, with its operation and its queue") {
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}, "programs": {
        "A": [{"sleep": "1 us"}],
        "B": [{"post": "receive", "as": "r"}, {"poll": "q0.receive", "count": 1}]}})");
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring("program of B at programs.B[1]"));
    CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring("polls q0.receive, 1 of 1 completions to come"));
}

TEST_CASE("a program that would repeat for ever without any time passing is ended, with its place") {
    // Three rounds within each of a number that no machine gets to the end of.
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}, "programs": {
        "A": [{"repeat": 1000000000000000, "do": [{"repeat": 3, "time": "x", "do": []}]}]}})");
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring("program of A at programs.A[0]"));
    CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring("has gone 1000000 rounds in which no time passes"));
    // Rounds in which time passes are no such rounds, however many there are.
    const ChildResult works = run_text(R"({"hosts": {"A": {}, "B": {}}, "programs": {
        "A": [{"repeat": 1200000, "do": [{"sleep": "1 ps"}]}]}})");
    INFO(works.why);
    CHECK(works.outcome == RunOutcome::finished);
}

TEST_CASE("a deferred Send that nothing follows is never started", "[K41]") {
    const ChildResult run = run_text(R"({"hosts": {"A": {"buffers": {"tx": {"size": "64 B"}}}, "B": {}}, "programs": {
        "A": [{"post": "send", "buffer": "tx", "flags": ["defer"], "as": "s"}, {"sleep": "50 us"},
              {"poll": "q0.send", "count": 1}],
        "B": [{"post": "receive"}]}})");
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring("program of A"));
    CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring("1 deferred request of A waits for one that is not"));
    CHECK(run.metric("A.nic.wqe.messages") == 0);
}

TEST_CASE("a run that leaves a chain of deferred requests open says so at its end", "[K41]") {
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}, "programs": {
        "A": [{"post": "send", "flags": ["defer"], "count": 3}, {"sleep": "50 us"}],
        "B": []}})");
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("programs.A.deferred") == 3);
    CHECK(run.metric("programs.B.deferred") == 0);
}

TEST_CASE("a limit of simulated time ends a run and says so") {
    const ChildResult run = run_file("scenarios/library/stream.json", {"limits.time=200 us"});
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::time_limit);
    CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring("200 us"));
    CHECK(run.metric("run.ended") <= 200'000'000);
}

// The Writes take about 100 us; what is due next is ten seconds away.
TEST_CASE("of many that wait when a run is ended, the first ones are named") {
    std::string traffic;
    for (int i = 0; i < 30; ++i) {
        const std::string n = std::to_string(i);
        traffic += (i > 0 ? R"(, "t)" : R"("t)") + n + R"(": {"from": "A.q)" + n + R"(", "to": "B.q)" + n + R"("})";
    }
    const ChildResult run =
        run_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {)" + traffic + R"(}, "limits": {"time": "5 ms"}})");
    CHECK(run.outcome == RunOutcome::time_limit);
    CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring("traffic t0: "));
    CHECK_THAT(run.why, Catch::Matchers::EndsWith("; and 18 more"));  // 12 of 30 generators are named
}

TEST_CASE("a run that a limit of time ends has ended there, and its figures cover no more") {
    const ChildResult run = run_text(R"({"hosts": {"A": {"buffers": {"tx": {}}}, "B": {"buffers": {"rx": {}}}},
        "programs": {"A": [{"repeat": 15, "do": [{"post": "write", "buffer": "tx", "to": "B.rx"}, {"poll": "q0.send"}]},
                           {"sleep": "10 s"}]},
        "limits": {"time": "200 us"}})");
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::time_limit);
    CHECK(run.metric("run.ended") == 200'000'000);
    CHECK(run.metric("run.measured") < 200'000'000);
    const ChildResult slow = run_text(R"({"hosts": {"A": {}, "B": {}}, "limits": {"time": "1500 ms"},
        "traffic": {"t": {"from": "A", "to": "B", "arrivals": "fixed", "interval": "1 s", "count": 10}}})");
    REQUIRE(slow.ended);
    CHECK(slow.outcome == RunOutcome::time_limit);
    CHECK(slow.metric("run.ended") == 1'500'000'000'000);
}

TEST_CASE("a limit of work items ends a run and says so") {
    const ChildResult run = run_file("scenarios/library/stream.json", {"limits.items=5000"});
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::item_limit);
}

TEST_CASE("a run that is stopped has no figures that need the whole window") {
    // 40 of the 400 messages are warm-up. At 98.04 % of 100 Gb/s one of 64 KiB takes 5.35 us: 1 ms is enough for more
    // than 40 and not for 400, whatever part of it set-up takes; 200 us are at most 37.
    const ChildResult some = run_file("scenarios/library/stream.json", {"limits.time=1 ms"});
    REQUIRE(some.outcome == RunOutcome::time_limit);
    CHECK(some.metric("traffic.stream.measured") > 0);
    CHECK(some.metrics.contains("traffic.stream.goodput"));
    CHECK_FALSE(some.metrics.contains("traffic.stream.interval"));
    CHECK_FALSE(some.metrics.contains("traffic.stream.steady"));

    const ChildResult none = run_file("scenarios/library/stream.json", {"limits.time=200 us"});
    REQUIRE(none.outcome == RunOutcome::time_limit);
    CHECK(none.metric("traffic.stream.measured") == 0);
    for (const char* const figure : {"goodput", "message_rate", "interval", "steady"}) {
        CHECK_FALSE(none.metrics.contains("traffic.stream." + std::string(figure)));
    }

    const ChildResult whole = run_file("scenarios/library/stream.json");
    REQUIRE(whole.outcome == RunOutcome::finished);
    for (const char* const figure : {"goodput", "message_rate", "interval", "steady"}) {
        CHECK(whole.metrics.contains("traffic.stream." + std::string(figure)));
    }
}

TEST_CASE("a limit that is hit during set-up tells who is being set up, and who waits for that") {
    // The queue pairs are connected before 100 us. Then B's core posts its 1000 receives: 150 us at 50 ns for the WQE
    // and 100 ns for the doorbell each, in which it waits for nothing. So it is still at that at 140 us.
    const ChildResult run = run_text(
        R"({"hosts": {"A": {}, "B": {"qps": {"q0": {"rq": {"depth": 1024}}}}},
            "traffic": {"t": {"from": "A", "to": "B", "size": "64 B", "count": 1000, "receives": 1000}}})",
        {"limits.time=140 us"});
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::time_limit);
    CHECK_THAT(run.why,
               Catch::Matchers::StartsWith("the limit of 140 us of simulated time; "
                                           "host A waits for the other hosts to be set up; host B is being set up; "
                                           "traffic t: 0 of 1000 messages posted"));
}

TEST_CASE("a connect of set-up that takes too long is tried again, and the message of a limit says so") {
    // A's NIC and B's software take longer than 10 us. The limit comes in the wait between two attempts, or in one.
    const std::string hosts = R"({"hosts": {"A": {"nic": {"connect_timeout": "10 us"}}, "B": {}},
        "traffic": {"t": {"from": "A", "to": "B", "size": "64 B", "count": 10}}})";
    const ChildResult short_of_time = run_text(hosts, {"limits.time=1 ms"});
    REQUIRE(short_of_time.ended);
    CHECK(short_of_time.outcome == RunOutcome::time_limit);
    CHECK_THAT(short_of_time.why, Catch::Matchers::StartsWith(
                                      "the limit of 1 ms of simulated time; host A is being set up (connecting q0, "
                                      "without an answer within nic.connect_timeout); "));
    // B's software does nothing for 200 s, and A waits for 64 s each time: the fourth attempt is answered.
    const ChildResult frozen = run_text(
        R"({"hosts": {"A": {}, "B": {}}, "limits": {"time": "300 s"},
            "faults": [{"freeze": "B", "from": "10 us", "until": "200 s"}],
            "traffic": {"t": {"from": "A", "to": "B", "size": "64 B", "count": 10}}})",
        {});
    CHECK(frozen.outcome == RunOutcome::finished);
}

// B's answer reaches A in time, but A's NIC needs 20 us to join the connection, and B waits for 10.
TEST_CASE("a connect_timeout of the accepting end that is too short is named, and both ends try again",
          "[K154][K187]") {
    for (const char* const api : {"ndk", "ndspi1", "ndspi2"}) {
        const std::string of_api = std::string(".api=") + api;
        const ChildResult run = run_text(
            R"({"hosts": {"A": {"nic": {"command_latency": "20 us"}}, "B": {"nic": {"connect_timeout": "10 us"}}},
                "programs": {"A": [{"post": "send"}], "B": [{"post": "receive"}]}})",
            {"limits.time=1 ms", "hosts.A" + of_api, "hosts.B" + of_api});
        INFO(api << ": " << run.why);
        REQUIRE(run.ended);
        CHECK(run.outcome == RunOutcome::time_limit);
        CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring(
                                "(connecting q0 again, as nic.connect_timeout of its peer was too short)"));
        CHECK_THAT(run.why, Catch::Matchers::ContainsSubstring(
                                "(accepting for q0 again, as nic.connect_timeout of one end was too short)"));
    }
}

// A stops while it is connecting, for longer than B waits: B accepts anew, with another queue pair, and A connects
// anew.
TEST_CASE("set-up connects again after either end has given up", "[K154][K178][K187]") {
    for (const char* const api : {"ndk", "ndspi1", "ndspi2"}) {
        for (const char* const from : {"10 us", "20 us", "26 us", "32 us", "36 us"}) {
            INFO(api << " " << from);
            const std::string of_api = std::string(".api=") + api;
            const ChildResult run = run_text(
                R"({"hosts": {"A": {}, "B": {"nic": {"connect_timeout": "50 us"}}},
                    "faults": [{"freeze": "A", "from": ")" +
                    std::string(from) + R"(", "until": "200 us"}],
                    "programs": {"A": [{"post": "send"}], "B": [{"post": "receive"}, {"poll": "q0.receive"}]}})",
                {"hosts.A" + of_api, "hosts.B" + of_api});
            REQUIRE(run.ended);
            CHECK(run.outcome == RunOutcome::finished);
        }
    }
}

TEST_CASE("whenever a limit is hit, the message is whole") {
    const std::regex whole(
        "the limit of .*?((; (host . is being set up( \\([^;]+\\))?|host . waits for [^;]+|the program of A at "
        "programs.A.+: [^;]+|the program of A before its first operation|traffic t: [^;]+))+|; every "
        "program and generator has ended, the hardware has not)");
    for (int i = 1; i <= 24; ++i) {
        const ChildResult run = run_text(
            R"({"hosts": {"A": {"buffers": {"tx": {"size": "64 B"}}}, "B": {}},
                "traffic": {"t": {"from": "A", "to": "B", "size": "64 B", "count": 50, "receives": 50}},
                "programs": {"A": [{"sleep": "2 us"}, {"sleep": "2 us"}]}})",
            {"limits.items=" + std::to_string(i * i)});  // 1 to 576: from the first moment into the traffic
        INFO(run.why);
        REQUIRE(run.ended);
        CHECK(run.outcome == RunOutcome::item_limit);
        CHECK(std::regex_match(run.why, whole));
    }
}

TEST_CASE("a limit after the last program has ended says that the hardware has not") {
    // A does not wait for its Send, so its program ends with the post, long before the acknowledgement is there.
    const std::string text = R"({"hosts": {"A": {"buffers": {"tx": {"size": "64 B"}}}, "B": {}},
        "programs": {"A": [{"sleep": "5 us"}, {"post": "send", "buffer": "tx"}], "B": [{"post": "receive"}]}})";
    const ChildResult whole = run_text(text);
    REQUIRE(whole.outcome == RunOutcome::finished);
    const ChildResult run = run_text(text, {"limits.time=" + std::to_string(whole.metric("run.ended") - 1000) + " ps"});
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::time_limit);
    CHECK_THAT(run.why, Catch::Matchers::EndsWith("; every program and generator has ended, the hardware has not"));
}

TEST_CASE("a C++ program that computes when a limit is hit has not ended, one that waits is told by what for") {
    RunOptions options;
    options.programs = {{"A", [](HostContext& host) { host.compute(std::chrono::milliseconds{1}); }},
                        {"B", [](HostContext& host) {
                             HostEvent event(host);
                             event.wait("news");
                         }}};
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}})", {"limits.time=500 us"}, options);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::time_limit);
    CHECK(run.why == "the limit of 500 us of simulated time; the program of A has not ended; host B waits for news");
}

TEST_CASE("a C++ program that computes or sleeps for a negative span ends the run with a message") {
    const std::string text = R"({"hosts": {"A": {}, "B": {}}})";
    RunOptions options;
    options.programs = {{"A", [](HostContext& host) { host.compute(Picoseconds{-5}); }}, {"B", [](HostContext&) {}}};
    CHECK_THAT(run_text(text, {}, options).why,
               Catch::Matchers::ContainsSubstring("HostContext::compute: -5 ps is negative"));
    options.programs["A"] = [](HostContext& host) { host.sleep(Picoseconds{-5}); };
    CHECK_THAT(run_text(text, {}, options).why,
               Catch::Matchers::ContainsSubstring("HostContext::sleep: -5 ps is negative"));
}

TEST_CASE("a second simulation in one process is refused with a message") {
    const std::string text = R"({"hosts": {"A": {}, "B": {}}})";
    RunOptions options;
    options.programs = {
        {"A", [&](HostContext&) { static_cast<void>(run_scenario(load_scenario("second", text), {})); }},
        {"B", [](HostContext&) {}}};
    CHECK_THAT(run_text(text, {}, options).why,
               Catch::Matchers::ContainsSubstring("this process has simulated already"));
}

}  // namespace ndsim::test::ends_test
