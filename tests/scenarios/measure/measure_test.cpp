// SPDX-License-Identifier: Apache-2.0

#include "models/ledger/stall.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::measure_test {

// Writes one after the other, so that the time of several is the sum of their latencies.
ChildResult writes(const std::string& count, const std::string& measure,
                   const std::vector<std::string>& overrides = {}) {
    return finish_text(R"({"hosts": {"A": {}, "B": {}}, "traffic": {"t": {"from": "A", "to": "B",
        "operation": "write", "size": "64 B", "window": 1, "count": )" +
                           count + R"(}}, "measure": {)" + measure + "}}",
                       overrides);
}

std::uint64_t rate_of(std::uint64_t messages, std::uint64_t picoseconds) {
    return (messages * 1'000'000'000'000 + picoseconds / 2) / picoseconds;
}

TEST_CASE("measure: without a warm-up the window begins with the generator, and set-up is not in it") {
    const ChildResult run = writes("5", R"("warmup": 0)");
    CHECK(run.metric("traffic.t.measured") == 5);
    CHECK(run.metric("traffic.t.latency.count") == 5);
    CHECK(run.metric("ledger.A.write.count") == 5);
    // The first post is at the generator's start, each other one when the poll before it has returned.
    const std::uint64_t ended = run.metric("ledger.A.write.mean") * 5;
    CHECK(run.metric("traffic.t.message_rate") == Catch::Approx(static_cast<double>(rate_of(5, ended))).epsilon(1e-5));
}

TEST_CASE("measure: a warm-up left to the simulator is a tenth of the messages") {
    CHECK(writes("50", R"("warmup": "auto")").metric("traffic.t.measured") == 45);
    CHECK(writes("50", R"("window": 0)").metric("traffic.t.measured") == 45);
    CHECK(writes("9", R"("warmup": "auto")").metric("traffic.t.measured") == 9);
    CHECK(writes("50", R"("warmup": 20)").metric("traffic.t.measured") == 30);
}

TEST_CASE("measure: what comes behind the window is in no latency and no ledger") {
    // No poll is longer than others by the store that tells the NIC of it.
    const ChildResult run = writes("100", R"("warmup": 10, "window": 20)", {"nic.cq_update_every=1000"});
    CHECK(run.metric("traffic.t.messages") == 100);
    CHECK(run.metric("traffic.t.measured") == 20);
    CHECK(run.metric("traffic.t.latency.count") == 20);
    CHECK(run.metric("ledger.A.write.count") == 20);
    CHECK(run.metric("ledger.A.write.mean") == run.metric("traffic.t.latency.mean"));
}

// The window goes from the poll that finds the 10th completion to the one that finds the 30th, so it holds 20 polls of
// 60 ns and 20 posts of 50 ns and a store.
TEST_CASE("measure: times are those of the window alone") {
    const ChildResult run = writes("100", R"("warmup": 10, "window": 20)");
    CHECK(run.metric("A.cpu_t.build") == 20 * 50'000);
    CHECK(run.metric("A.cpu_t.poll") == 20 * 60'000);
    CHECK(run.metric("A.cpu.other") == 0);  // set-up was before
    CHECK(run.metric("run.measured") ==
          Catch::Approx(20 * static_cast<double>(run.metric("traffic.t.latency.mean"))).epsilon(1e-5));
    for (const std::string host : {"A", "B"}) {
        std::uint64_t sum = 0;
        for (const std::string_view stall : kStallNames) {
            sum += run.metric(host + ".nic.wqe." + std::string(stall));
        }
        CHECK(sum == run.metric("run.measured"));
    }
}

TEST_CASE("measure: counters are those of the whole run") {
    const ChildResult run = writes("100", R"("warmup": 10, "window": 20)");
    CHECK(run.metric("A.nic.wqe.messages") == 100);
    CHECK(run.metric("A.nic.cq.cqes") == 100);
}

TEST_CASE("measure: without a drain the run ends with the window, whatever is under way") {
    const ChildResult drained = writes("1000", R"("warmup": 10, "window": 20)");
    const ChildResult cut = writes("1000", R"("warmup": 10, "window": 20, "drain": false)");
    CHECK(cut.metric("traffic.t.messages") == 30);
    CHECK(cut.metric("run.ended") < drained.metric("run.ended") / 10);
    for (const char* const figure : {"measured", "message_rate", "goodput", "latency.mean", "latency.max"}) {
        CHECK(cut.metric(std::string("traffic.t.") + figure) == drained.metric(std::string("traffic.t.") + figure));
    }
}

TEST_CASE("measure: without a drain all windows and all programs come to their end first") {
    const ChildResult run = finish_text(R"({"hosts": {"A": {}, "B": {}},
        "traffic": {"fast": {"from": "A.x", "to": "B.x", "count": 100000, "size": "64 B"},
                    "slow": {"from": "B.y", "to": "A.y", "count": 100000, "size": "64 B", "think_time": "5 us"}},
        "programs": {"A": [{"sleep": "900 us"}]}, "measure": {"warmup": 10, "window": 100, "drain": false}})");
    CHECK(run.metric("traffic.fast.measured") == 100);
    CHECK(run.metric("traffic.slow.measured") == 100);
    CHECK(run.metric("traffic.slow.messages") > 110);
    CHECK(run.metric("traffic.slow.messages") < 1000);
    CHECK(run.metric("run.ended") > 900'000'000);  // not before the program
    CHECK(run.metric("run.ended") < 2'000'000'000);
}

// 180 of the elephants' 200 messages are measured, and the mice are long gone by then: 98.04 Gb/s (timing.md F4) over
// 180 x 256 packets of 4178 bytes, 15.40 ms.
TEST_CASE("measure: a generator that is done before another one is warm has no part in what is measured of both") {
    const ChildResult run = finish_text(R"({"hosts": {"A": {}, "B": {}},
        "traffic": {"mice": {"from": "A.q0", "to": "B.q0", "size": "64 B", "count": 20},
                    "elephants": {"from": "A.q1", "to": "B.q1", "size": "1 MiB", "count": 200, "window": 2}}})");
    CHECK(run.metric("traffic.mice.measured") == 18);
    CHECK(run.metric("run.measured") == Catch::Approx(180.0 * 256 * 4178 * 80).epsilon(0.001));
    CHECK(run.metric("traffic.mice.shared_goodput") == 0);
    CHECK(run.metric("traffic.elephants.shared_goodput") == Catch::Approx(98.04e9).epsilon(0.001));
}

// Two generators get the same share of the lane until the shorter one is done; the other has it alone then, so its own
// figure is higher, and the two add up to more than there is.
TEST_CASE("measure: what generators get side by side adds up to what there is") {
    const ChildResult run = finish_text(R"({"hosts": {"A": {}, "B": {}},
        "traffic": {"short": {"from": "A.q0", "to": "B.q0", "size": "64 KiB", "count": 200, "window": 4},
                    "long": {"from": "A.q1", "to": "B.q1", "size": "64 KiB", "count": 400, "window": 4}},
        "measure": {"warmup": 20}})");
    const auto sum = [&](const std::string& figure) {
        return static_cast<double>(run.metric("traffic.short." + figure) + run.metric("traffic.long." + figure));
    };
    CHECK(sum("shared_goodput") == Catch::Approx(98.04e9).epsilon(0.01));
    CHECK(sum("goodput") > 110e9);
}

// B goes on long after A is done. Its ledgers are of the messages that were delivered side by side, and of those in
// flight at either end, four at most.
TEST_CASE("measure: mean ledgers have what began before the first window was complete") {
    const ChildResult run = finish_text(R"({"hosts": {"A": {}, "B": {}, "C": {}}, "switches": {"s0": {}},
        "traffic": {"a": {"from": "A", "to": "C.a", "size": "64 B", "count": 1000, "window": 4},
                    "b": {"from": "B", "to": "C.b", "size": "64 KiB", "count": 1000, "window": 4}}})");
    const double bits = static_cast<double>(run.metric("traffic.b.shared_goodput")) *
                        static_cast<double>(run.metric("run.measured")) * 1e-12;
    const auto delivered = static_cast<std::uint64_t>(bits / (65536 * 8));
    CHECK(run.metric("ledger.B.send.count") >= delivered);
    CHECK(run.metric("ledger.B.send.count") <= delivered + 2 * 4 + 1);
}

}  // namespace ndsim::test::measure_test
