// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// Generators whose messages take their receives from one shared queue.

namespace ndsim::test::shared_receives_test {

// The hosts A1, A2 and A3 send to q1, q2 and q3 of B, which share queue s; `traffic` is their generators' members.
std::string three_to_one(const std::string& depth, const std::array<std::string, 3>& traffic) {
    std::string hosts;
    std::string qps;
    std::string generators;
    for (std::size_t i = 0; i < traffic.size(); ++i) {
        const std::string n = std::to_string(i + 1);
        const std::string comma = i == 0 ? "" : ", ";
        hosts += "\"A" + n + "\": {}, ";
        qps += comma + "\"q" + n + R"(": {"srq": "s"})";
        generators +=
            comma + "\"t" + n + R"(": {"from": "A)" + n + R"(", "to": "B.q)" + n + "\", " + traffic.at(i) + "}";
    }
    return R"({"switches": {"sw": {}}, "hosts": {)" + hosts + R"("B": {"srqs": {"s": {"depth": )" + depth +
           R"(}}, "qps": {)" + qps + R"(}}}, "traffic": {)" + generators + "}}";
}

// One generator from A to B, whose queue pairs share queue s.
std::string one_to_one(const std::string& depth, const std::string& traffic) {
    return R"({"hosts": {"A": {}, "B": {"srqs": {"s": {"depth": )" + depth + R"(}}, "qps": {"q0": {"srq": "s"}}}},
               "traffic": {"t": {"from": "A", "to": "B", )" +
           traffic + "}}}";
}

TEST_CASE("shared receives: a message takes any generator's receive, and its receiver posts one again") {
    // t1 posts four receives, and the others share the other eight. Without the receives of t1 and t3, t2 could have
    // four messages on their way.
    const ChildResult run = finish_text(
        three_to_one("12", {R"("size": "4 KiB", "count": 10, "receives": 4)", R"("size": "1 KiB", "count": 600)",
                            R"("size": "8 B", "count": 20, "buffers": 3)"}),
        {"measure.warmup=0"});
    CHECK(run.metric("traffic.t1.messages") == 10);
    CHECK(run.metric("traffic.t2.messages") == 600);
    CHECK(run.metric("traffic.t3.messages") == 20);
    CHECK(run.metric("B.srqs.s.srq.high_water") == 12);  // at the start of the window, when no message has come
    for (const std::string host : {"A1", "A2", "A3"}) {
        CHECK(run.metric(host + ".ndk.connection_errors") == 0);
    }
}

// The first message takes the only receive. Nobody counts on receives, so the sender sends more, and is told to wait.
TEST_CASE("shared receives: a sender waits for none before it sends, and as long as it takes after that") {
    const ChildResult run = finish_text(one_to_one("1", R"("size": "64 B", "count": 8, "window": 8)"),
                                        {"hosts.A.nic.rnr_retry=0", "hosts.B.nic.rnr_retry=0"});
    CHECK(run.metric("traffic.t.messages") == 8);
    CHECK(run.metric("traffic.t.failed") == 0);
    CHECK(run.metric("A.cpu_t.no_receive") == 0);
    CHECK(run.metric("B.nic.responder.rnr_naks") > 0);
}

TEST_CASE("shared receives: a batch that a receiver keeps leaves receives for the others") {
    // Each posts two of six. With batches of two at most, each keeps one: three are left.
    const std::string each = R"("size": "64 B", "count": 200, "repost_batch": 100)";
    const ChildResult run = finish_text(three_to_one("6", {each, each, each}));
    for (const std::string name : {"t1", "t2", "t3"}) {
        CHECK(run.metric("traffic." + name + ".messages") == 200);
    }
}

// A post holds the queue's lock while it builds the WQE, 50 ns, and stores the doorbell, 100 ns. So three cores post no
// more than one does: the 3 x 1080 receives of the measured messages take 486 us. Each core by itself needs 216.25 ns
// for a message (a poll of 60 ns and a sixteenth of 100 ns more), 234 us for all. The senders are faster than both, but
// the receives and the completion queues last for their messages.
TEST_CASE("shared receives: cores post one after the other, and the lock is named as the limit") {
    const std::string each = R"("size": "8 B", "inline": true, "count": 1200, "window": 64)";
    const ChildResult run = finish_text(three_to_one("3072", {each, each, each}));
    CHECK(run.metric("run.measured") >= 486'000'000);
    CHECK(run.metric("run.measured") <= 600'000'000);
    for (const std::string name : {"t1", "t2", "t3"}) {
        CHECK(run.metric("traffic." + name + ".failed") == 0);
        CHECK(run.metric("B.cpu_" + name + ".lock") > 0);
    }
    REQUIRE_FALSE(run.limits.empty());
    CHECK(run.limits.front().what == "B.srqs.s lock");
    CHECK(run.limits.front().binds);
    CHECK(run.limits.front().parameter == "hosts.B.cpu.mmio_uc");
}

// t has four messages under way, and posts one receive; u has one under way, and posts the others.
TEST_CASE("shared receives: a generator may have more messages under way than it has posted receives") {
    const ChildResult run = finish_text(
        R"({"hosts": {"A": {"qps": {"q0": {}, "q1": {}}},
                      "B": {"srqs": {"s": {"depth": 32}}, "qps": {"q0": {"srq": "s"}, "q1": {"srq": "s"}}}},
            "traffic": {"t": {"from": "A.q0", "to": "B.q0", "size": "4 KiB", "count": 200, "window": 4, "receives": 1},
                        "u": {"from": "A.q1", "to": "B.q1", "size": "64 B", "count": 50, "window": 1}}})");
    CHECK(run.metric("traffic.t.messages") == 200);
    CHECK(run.metric("B.nic.responder.rnr_naks") == 0);
}

TEST_CASE("shared receives: the queue pairs of one generator share them, too") {
    const ChildResult run = finish_text(
        one_to_one("4", R"("queue_pairs": 16, "choose": "round_robin", "size": "64 B", "count": 320, "window": 64)"));
    CHECK(run.metric("traffic.t.messages") == 320);
    CHECK(run.metric("traffic.t.failed") == 0);
    CHECK(run.metric("B.srqs.s.srq.now") == 4);
}

// Every 3 us a message of 64 KiB, which takes 5.24 us of the wire at 100 Gb/s, or one of 8 B on another queue pair,
// which overtakes it: it waits for what the TX FIFO holds, 16 KiB or 1.3 us, and takes some 2 us otherwise. If the
// first of two to arrive were taken for the first of two to begin, none would take less than 4.7 us.
TEST_CASE("shared receives: a message's time to the receiver counts from its own begin") {
    const ChildResult run = finish_text(
        one_to_one("8", R"("queue_pairs": 2, "choose": "round_robin", "size": ["64 KiB", "8 B"], "count": 40,
                                       "window": 8, "arrivals": "fixed", "interval": "3 us")"),
        {"hosts.A.nic.tx_fifo=16KiB"});
    CHECK(run.metric("traffic.t.delivery.min") < 4'000'000);
    CHECK(run.metric("traffic.t.delivery.max") > 5'240'000);
}

// Slots are free again in their order. u's message waits 67 ms for its lost packet, and the slots behind its receive
// with it: the receives that t owes are posted when it has come.
TEST_CASE("shared receives: those that find no free slot are posted later, and none is lost") {
    const ChildResult run = finish_text(
        R"({"hosts": {"A": {"qps": {"q0": {}, "q1": {}}},
                      "B": {"srqs": {"s": {"depth": 32}}, "qps": {"q0": {"srq": "s"}, "q1": {"srq": "s"}}}},
            "traffic": {"t": {"from": "A.q0", "to": "B.q0", "size": "4 KiB", "count": 2000},
                        "u": {"from": "A.q1", "to": "B.q1", "size": "16 KiB", "window": 1, "count": 30}},
            "faults": [{"drop": "A", "opcode": "SEND_LAST", "packet": 5}]})");
    CHECK(run.metric("traffic.t.messages") == 2000);
    CHECK(run.metric("traffic.u.messages") == 30);
    CHECK(run.metric("B.srqs.s.srq.now") == 32);
}

// Both take a message every 2 us at the same time, and post again a microsecond later on average. A core waits at most
// while the other builds a WQE and stores a doorbell: 150 ns for each of its 1000 receives.
TEST_CASE("shared receives: the lock is held while a receive is posted, not before") {
    const std::string each = R"("size": "64 B", "arrivals": "fixed", "interval": "2 us", "count": 1000)";
    const ChildResult run = finish_text(R"({"hosts": {"A": {"qps": {"q0": {}, "q1": {}}},
            "B": {"cpu": {"repost_jitter": "1 us"}, "srqs": {"s": {}}, "qps": {"q0": {"srq": "s"}, "q1": {"srq": "s"}}}},
            "traffic": {"t": {"from": "A.q0", "to": "B.q0", )" +
                                        each + R"(}, "u": {"from": "A.q1", "to": "B.q1", )" + each + "}}}");
    CHECK(run.metric("B.cpu_t.lock") <= 150'000'000);
    CHECK(run.metric("B.cpu_u.lock") <= 150'000'000);
    CHECK(run.metric("B.cpu_t.lock") + run.metric("B.cpu_u.lock") > 0);
}

// Three receives for windows of sixteen each, and 0.64 ms until a sender that found none tries again.
TEST_CASE("shared receives: a queue with too few is named once for all its generators") {
    const std::string each = R"("size": "64 B", "count": 100)";
    const ChildResult run = finish_text(three_to_one("3", {each, each, each}));
    const auto is_queue = [](const ChildResult::SeenLimit& limit) { return limit.what == "B.srqs.s.srq"; };
    REQUIRE(std::ranges::count_if(run.limits, is_queue) == 1);
    const ChildResult::SeenLimit& limit = *std::ranges::find_if(run.limits, is_queue);
    CHECK(limit.kind == "ring");
    CHECK(limit.binds);
    CHECK(limit.parameter == "hosts.B.srqs.s.depth");
}

// The completions of t's messages overrun their queue, and nobody posts the receives that they took again.
TEST_CASE("shared receives: a connection that dies may take the receives of others with it") {
    const std::string each = R"("size": "64 B", "count": 4000, "window": 64)";
    const ChildResult run = run_text(
        R"({"hosts": {"A": {"qps": {"q1": {}, "q2": {}}}, "B": {"srqs": {"s": {"depth": 8}}, "cqs": {"c": {"depth": 1}},
            "qps": {"q1": {"srq": "s", "receive_cq": "c"}, "q2": {"srq": "s"}}}},
            "traffic": {"t": {"from": "A.q1", "to": "B.q1", )" +
        each + R"(}, "u": {"from": "A.q2", "to": "B.q2", )" + each + "}}}");
    REQUIRE(run.ended);
    CHECK(run.outcome == RunOutcome::stalled);
    CHECK(run.why.find("traffic u") != std::string::npos);
    CHECK(run.metric("B.nic.cq.overruns") == 1);
}

}  // namespace ndsim::test::shared_receives_test
