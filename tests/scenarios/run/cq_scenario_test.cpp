// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::cq_scenario_test {

// Completion queues of scenarios.

using namespace ndsim;
using namespace ndsim::test;

TEST_CASE("cq: silent requests that succeed take no entry", "[K52][K166]") {
    // Twenty Sends complete into a queue of two; one of them asks for it.
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"buffers": {"tx": {}}, "cqs": {"small": {"depth": 2}}, "qps": {"q0": {"send_cq": "small"}}},
                  "B": {"buffers": {"rx": {}}}},
        "programs": {
            "A": [{"sleep": "20 us"},
                  {"post": "send", "buffer": "tx", "size": "64 B", "flags": ["silent_success"], "count": 19},
                  {"post": "send", "buffer": "tx", "size": "64 B", "as": "last"},
                  {"poll": "small"}],
            "B": [{"post": "receive", "buffer": "rx", "count": 20}, {"poll": "q0.receive", "count": 20}]},
        "expect": [{"completion": "A.last", "status": "success"}]})");
    INFO(run.why);
    REQUIRE(run.outcome == RunOutcome::finished);
    CHECK(run.unmet.empty());
    CHECK(run.metric("A.nic.cq.overruns") == 0);
    CHECK(run.metric("A.nic.cq.cqes") == 1);
}

// Each poll takes all entries, and microseconds. Requests that are posted behind it are flushed behind it, too.
TEST_CASE("cq: a queue overruns while a poll takes long, and its requests end once each") {
    for (const std::string depth : {"4", "8", "12"}) {
        for (const std::string poll : {"500 ns", "1 us", "2 us"}) {
            const ChildResult run = run_text(R"({
                "hosts": {"A": {"preset": "D", "nic": {"cq": {"depth": )" +
                                             depth + R"(}, "sq": {"depth": 16}},
                                "cpu": {"poll_cq": ")" +
                                             poll + R"("}},
                          "B": {}},
                "traffic": {"t": {"from": "A", "to": "B", "count": 60}}})");
            INFO(depth << " entries, " << poll << ": " << run.why);
            REQUIRE(run.ended);
            CHECK(run.metric("A.nic.cq.overruns") == 1);
            CHECK(run.metric("A.qps.q0.sq_completed.high_water") <= 16);
        }
    }
}

// A queue of one that holds three: the pool of its entries must hold as many.
TEST_CASE("cq: a queue whose depth NDSPI 2 rounds up fills to that", "[B4]") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {"api": "ndspi2", "buffers": {"tx": {}}, "cqs": {"small": {"depth": 1}},
                        "qps": {"q0": {"send_cq": "small"}}},
                  "B": {"buffers": {"rx": {}}}},
        "programs": {
            "A": [{"sleep": "20 us"}, {"post": "send", "buffer": "tx", "size": "64 B", "count": 3},
                  {"sleep": "50 us"}, {"poll": "small", "count": 3}],
            "B": [{"post": "receive", "buffer": "rx", "count": 3}, {"poll": "q0.receive", "count": 3}]}})");
    INFO(run.why);
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
    CHECK(run.metric("A.nic.cq.overruns") == 0);
}

// 512 receives are posted at most, so 520 entries are always enough.
TEST_CASE("cq: a generator's queue is resized again and again, and no message is lost", "[K169]") {
    const ChildResult run = run_text(R"({
        "hosts": {"A": {}, "B": {"cqs": {"changing": {"depth": 600}}, "qps": {"q0": {"receive_cq": "changing"}}}},
        "traffic": {"t": {"from": "A", "to": "B", "size": "256 B", "count": 4000, "window": 24}},
        "programs": {"B": [{"repeat": 20, "do": [
            {"resize": "changing", "depth": 2000}, {"sleep": "3 us"}, {"resize": "changing", "depth": 520}]}]}})");
    INFO(run.why);
    REQUIRE(run.outcome == RunOutcome::finished);
    CHECK(run.metric("traffic.t.messages") == 4000);
    CHECK(run.metric("traffic.t.failed") == 0);
    CHECK(run.metric("programs.B.refused") == 0);
    CHECK(run.metric("B.nic.cq.resizes") == 40);
    CHECK(run.metric("B.nic.cq.overruns") == 0);
    CHECK(run.metric("programs.B.consumer_errors") == 0);
}

TEST_CASE("cq: moderation by time delays the wake-up by just that time", "[K87]") {
    const std::string text = R"({
        "hosts": {"A": {"buffers": {"tx": {}}}, "B": {"buffers": {"rx": {}},
                  "cqs": {"quiet": {}}, "qps": {"q0": {"receive_cq": "quiet"}}}},
        "programs": {
            "A": [{"sleep": "20 us"}, {"post": "send", "buffer": "tx", "size": "64 B"}, {"poll": "q0.send"}],
            "B": [{"post": "receive", "buffer": "rx"},
                  {"time": "woken", "do": [{"arm": "quiet"}, {"wait": "quiet"}]}, {"poll": "quiet"}]}})";
    const ChildResult plain = run_text(text);
    const ChildResult moderated = run_text(text, {"hosts.B.cqs.quiet.interrupt_moderation.interval=7 us"});
    REQUIRE(plain.outcome == RunOutcome::finished);
    REQUIRE(moderated.outcome == RunOutcome::finished);
    // Setting it up takes no time of the program, and everything else is idle in both runs. Only, the interrupt that
    // does not wait stands in line behind payload and CQE, 64 + 24 bytes each: 2 x 88 B at 16 x 8 GT/s x 128/130 x 95 %
    // = 14.966 GB/s are 11.760 ns.
    const std::uint64_t later = moderated.metric("programs.B.woken.max") - plain.metric("programs.B.woken.max");
    CHECK(later == 7'000'000 - 11'760);
    CHECK(moderated.metric("B.nic.cq.interrupts") == plain.metric("B.nic.cq.interrupts"));
}

TEST_CASE("cq: a program changes the moderation", "[K94]") {
    const std::string text = R"({
        "hosts": {"A": {"buffers": {"tx": {}}}, "B": {"buffers": {"rx": {}}}},
        "programs": {
            "A": [{"sleep": "20 us"}, {"post": "send", "buffer": "tx", "size": "64 B", "count": 4},
                  {"poll": "q0.send", "count": 4}],
            "B": [{"post": "receive", "buffer": "rx", "count": 4},
                  {"moderate": "q0.receive", "count": 4}, {"arm": "q0.receive"}, {"wait": "q0.receive"},
                  {"poll": "q0.receive", "count": 4},
                  {"moderate": "q0.receive", "count": 100000}]}})";
    const ChildResult run = run_text(text);
    INFO(run.why);
    REQUIRE(run.outcome == RunOutcome::finished);
    CHECK(run.metric("B.nic.cq.moderated") == 3);
    CHECK(run.metric("programs.B.refused") == 1);  // no queue holds so many, and there is no other bound
}

}  // namespace ndsim::test::cq_scenario_test
