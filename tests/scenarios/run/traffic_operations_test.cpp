// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::traffic_operations_test {

TEST_CASE("traffic: Writes need no receives, and nothing happens at the receiver's software") {
    const ChildResult run = run_traffic(R"("operation": "write", "size": "4 KiB", "count": 500)");
    CHECK(run.metric("traffic.t.messages") == 500);
    CHECK(run.metric("traffic.t.bytes") == 500 * 4096);
    CHECK(run.metric("B.nic.rq.taken") == 0);
    CHECK(run.metric("B.nic.cq.cqes") == 0);
    CHECK(run.metric("A.nic.cq.cqes") == 500);
}

TEST_CASE("traffic: long Writes fill the wire") {
    // 4096 of 4096 + 82 bytes, and 16 bytes of RETH for each 1 MiB: 98.03 Gb/s.
    const ChildResult run = run_traffic(R"("operation": "write", "size": "1 MiB", "count": 60)", {"measure.warmup=20"});
    CHECK(run.metric("traffic.t.goodput") > 97'900'000'000);
    CHECK(run.metric("traffic.t.goodput") < 98'100'000'000);
}

// One at a time: a rate is the latency's other side.
TEST_CASE("traffic: Reads one at a time come as often as one takes, and think_time") {
    const ChildResult run =
        run_traffic(R"("operation": "read", "size": "2 B", "count": 200, "window": 1, "think_time": "1 us")");
    const std::uint64_t period = run.metric("traffic.t.latency.mean") + 1'000'000;
    CHECK(run.metric("traffic.t.message_rate") == Catch::Approx(1e12 / static_cast<double>(period)).epsilon(0.001));
    CHECK(run.metric("B.nic.read_responder.reads") == 200);
}

TEST_CASE("traffic: no more Reads are under way than the connection allows") {
    // 16 of them, whatever the window.
    const ChildResult run = run_traffic(R"("operation": "read", "size": "4 KiB", "count": 500, "window": 64)");
    CHECK(run.metric("A.nic.wqe.read_limit") > 0);
}

TEST_CASE("traffic: several queue pairs take turns") {
    const ChildResult run =
        run_traffic(R"("operation": "write", "size": "64 B", "count": 90, "window": 30, "queue_pairs": 30,
                       "choose": "round_robin")",
                    {"outputs.completions=true"});
    CHECK(run.metric("traffic.t.messages") == 90);
    for (const char* const name : {"q0", "q0_1", "q0_29"}) {
        CHECK(run.metric(fmt::format("A.qps.{}.sq.high_water", name)) == 1);
    }
}

// 40 queue pairs with 16 contexts: the one that is wanted next is there in 16 of 40 cases, or a few more, as those with
// a message under way are used again for its acknowledgement. In turn each is driven out before it is wanted again.
TEST_CASE("traffic: among several queue pairs each is as likely as any other") {
    const auto run = [](const std::string& order) {
        return run_traffic(R"("operation": "write", "size": "32 B", "inline": true, "count": 4000, "window": 1,
                              "queue_pairs": 40, "choose": ")" +
                               order + R"(")",
                           {"hosts.A.nic.qp_context_entries=16"});
    };
    const ChildResult random = run("random");
    CHECK(static_cast<double>(random.metric("A.nic.context.misses")) ==
          Catch::Approx(4000 * (1 - 16.0 / 40)).epsilon(0.03));
    CHECK(run("round_robin").metric("A.nic.context.misses") >= 4000);
    CHECK(random.metric("traffic.t.latency.mean") < run("round_robin").metric("traffic.t.latency.mean"));
}

// The lane carries the 4182 bytes of a response of 4 KiB in 334.56 ns. One queue pair's next Read starts 20 ns later,
// 92.4 Gb/s; two queue pairs fill each other's gaps, 97.9 Gb/s.
TEST_CASE("traffic: the gap between the Reads of a queue pair is there for another one") {
    const auto goodput = [](const std::string& queue_pairs) {
        const ChildResult run = run_traffic(
            R"("operation": "read", "size": "4 KiB", "count": 2000, "window": 64, "queue_pairs": )" + queue_pairs);
        return static_cast<double>(run.metric("traffic.t.goodput"));
    };
    CHECK(goodput("1") == Catch::Approx(4096 * 8e9 / 354.56).epsilon(0.002));
    CHECK(goodput("2") == Catch::Approx(4096 * 8e9 / 334.56).epsilon(0.002));
}

TEST_CASE("traffic: silent Writes are told of by the next one that is not") {
    const ChildResult run =
        run_traffic(R"("operation": "write", "size": "64 B", "count": 99, "window": 16, "signal_every": 4)");
    CHECK(run.metric("traffic.t.messages") == 99);
    CHECK(run.metric("A.nic.cq.cqes") == 25);  // 24 fours, and the last
}

// The cable breaks in the middle. The Write that gives up fails, those behind it are cancelled, each with a completion;
// those before it have succeeded, and as many of them as were silent have none.
TEST_CASE("traffic: a failure tells of the silent messages before it, and of none behind it") {
    for (const int every : {3, 4, 5, 16}) {
        const ChildResult run = run_text(fmt::format(
            R"({{"hosts": {{"A": {{"nic": {{"timeout_code": 8}}}}, "B": {{}}}},
                "traffic": {{"t": {{"from": "A", "to": "B", "operation": "write", "size": "4 KiB", "count": 2000,
                                  "window": 16, "signal_every": {}}}}},
                "faults": [{{"down": "l0", "from": "100 us", "until": "9 s"}}]}})",
            every));
        INFO(every);
        CHECK(run.outcome == RunOutcome::finished);
        CHECK(run.metric("A.nic.completer.retired") > 0);
        CHECK(run.metric("traffic.t.messages") == run.metric("A.nic.completer.retired"));
        CHECK(run.metric("traffic.t.failed") == run.metric("A.nic.completer.flushed") + 1);
    }
}

// The queue is full before the window is. Software that thinks before each post finds that out afterwards, and polls.
TEST_CASE("traffic: a think time beside a window that the queue does not hold") {
    for (const std::string operation : {"send", "write", "read"}) {
        for (const auto& [depth, window] : {std::pair(8, 9), {2, 7}, {32, 64}}) {
            const ChildResult run = run_traffic(
                fmt::format(R"("operation": "{}", "size": "4 KiB", "count": 200, "window": {}, "think_time": "500 ns")",
                            operation, window),
                {fmt::format("hosts.A.nic.sq.depth={}", depth)});
            INFO(operation << " " << depth << " " << window);
            CHECK(run.outcome == RunOutcome::finished);
            CHECK(run.metric("traffic.t.messages") == 200);
        }
    }
}

// No packet arrives, so no message does; each request fails, at the sender or as a cancelled receive.
TEST_CASE("traffic: messages are those that arrived, and latencies those of success") {
    for (const std::string operation : {"send", "write"}) {
        const ChildResult run = run_text(
            R"({"hosts": {"A": {}, "B": {}}, "faults": [{"drop": "A", "rate": "100 %"}],
                "traffic": {"t": {"from": "A", "to": "B", "operation": ")" +
            operation + R"(", "size": "4 KiB", "count": 200, "window": 8}}})");
        CHECK(run.outcome == RunOutcome::finished);
        CHECK(run.metric("traffic.t.messages") == 0);
        CHECK(run.metric("traffic.t.failed") >= 8);
        CHECK_FALSE(run.metrics.contains("traffic.t.latency.mean"));
    }
}

}  // namespace ndsim::test::traffic_operations_test
