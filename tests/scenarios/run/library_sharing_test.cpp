// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/child.hpp"

// The cases of docs/library.md in which requests are in each other's way, or caches are too small. Times of preset B:
// 80 ps for a byte of the wire, 66.8 ps for one of PCIe.

namespace ndsim::test::library_sharing_test {

ChildResult run_case(const std::string& name, const std::vector<std::string>& overrides = {}) {
    ChildResult run = run_file("scenarios/library/" + name + ".json", overrides);
    INFO(run.why);
    REQUIRE(run.ended);
    return run;
}

double of(const ChildResult& run, const std::string& metric) {
    return static_cast<double>(run.metric(metric));
}

// F11, for sixteen Writes. Each takes 50 ns to build and 60 ns to poll; a doorbell is 100 ns, for one or for several,
// and so is the index of the completion queue.
TEST_CASE("library: doorbell-batching, a store for each batch instead of one for each Write [F11]") {
    const auto time = [](const std::string& repeat, const std::string& deferred, const std::string& flags) {
        const std::string list = "programs.A[1].do[1].";
        return of(run_case("doorbell-batching", {list + "repeat=" + repeat, list + "do[0].count=" + deferred,
                                                 list + "do[0].flags=" + flags}),
                  "programs.A.sixteen.p50");
    };
    const double work = 16 * 110e3 + 100e3;  // ps
    CHECK(time("8", "1", "[]") == Catch::Approx(work + 16 * 100e3).epsilon(0.001));
    CHECK(time("8", "1", R"(["defer"])") == Catch::Approx(work + 8 * 100e3).epsilon(0.001));
    CHECK(time("4", "3", R"(["defer"])") == Catch::Approx(work + 4 * 100e3).epsilon(0.001));
    CHECK(time("2", "7", R"(["defer"])") == Catch::Approx(work + 2 * 100e3).epsilon(0.001));
    CHECK(time("1", "15", R"(["defer"])") == Catch::Approx(work + 100e3).epsilon(0.001));
}

// A context is 256 B from DRAM: 24 + 276 B on the link, 2 x 135 + 120 + 80 ns, 490 ns in all, and there is one read at
// a time. With all contexts there the core is the limit: 50 + 75 + 60 ns for each Write, and 100 ns for every
// sixteenth.
TEST_CASE("library: cache-cliff, a context for each message and the rate is that of the context reads [F9]") {
    for (const auto& [queue_pairs, formula] :
         {std::pair{"16", 1e9 / 191.25}, {"64", 1e9 / 191.25}, {"80", 1e9 / 490.0}, {"256", 1e9 / 490.0}}) {
        INFO(queue_pairs);
        const ChildResult run = run_case("cache-cliff", {std::string("traffic.t.queue_pairs=") + queue_pairs});
        CHECK(of(run, "traffic.t.message_rate") == Catch::Approx(formula).epsilon(0.01));
    }
}

// Each small message waits for its receive: 64 B behind two switches, 2 x (135 + 2 x 115) + 120 ns and 24 + 84 B on the
// link, 857 ns. As queue pairs take turns there is a packet of 4 KiB of the other between two small ones.
TEST_CASE("library: hol-blocking, the others get a packet for each receive that is waited for") {
    const ChildResult blocked = run_case("hol-blocking");
    CHECK(of(blocked, "traffic.small.message_rate") == Catch::Approx(1e9 / 857).epsilon(0.02));
    CHECK(of(blocked, "traffic.other.goodput") == Catch::Approx(4096 * 8 * 1e9 / 857).epsilon(0.02));
    // Parked, the small ones wait alone: the others have the wire, but for 146 B of each small message.
    const ChildResult parked = run_case("hol-blocking", {"hosts.B.nic.rq_park=1"});
    CHECK(of(parked, "traffic.small.message_rate") == Catch::Approx(1e9 / 857).epsilon(0.02));
    const double left = 100e9 - 1e9 / 857 * 146 * 8;
    CHECK(of(parked, "traffic.other.goodput") == Catch::Approx(left * 4096 / 4178).epsilon(0.01));
}

TEST_CASE("library: hol-blocking, receives fetched ahead hide the distance") {
    const ChildResult run = run_case("hol-blocking", {"hosts.B.nic.rq_prefetch=16"});
    const double wire = of(run, "traffic.other.message_rate") * 4 * 4178 + of(run, "traffic.small.message_rate") * 146;
    CHECK(wire * 8 == Catch::Approx(100e9).epsilon(0.01));
}

// Two ways of 128 KiB are 64 buffers. A message holds 256 of 384 credits, until its 4096 B and 16 headers of 24 B are
// on the link and visible, and the credits are back: 299.3 + 135 + 80 + 30 + 135 = 679.3 ns. DRAM adds 80 ns.
TEST_CASE("library: ddio-leak, one buffer more than the ways hold and every message costs DRAM") {
    for (const auto& [buffers, dram, period] :
         {std::tuple{"32", 0U, 679.3}, {"64", 0U, 679.3}, {"65", 1936U, 759.3}, {"512", 1936U, 759.3}}) {
        INFO(buffers);
        const ChildResult run = run_case("ddio-leak", {std::string("traffic.t.buffers=") + buffers});
        CHECK(run.metric("B.root.dram_writes") == dram);  // of 2000, but for the first 64
        CHECK(of(run, "traffic.t.message_rate") == Catch::Approx(1e9 / period).epsilon(0.005));
    }
}

// A Read of 1 MiB is 256 responses of 4182 B: 85.6 us. The queue pair behind its fence holds two batches of eight.
TEST_CASE("library: fence-hol, a queue pair without a fence waits for the Read of another one") {
    const ChildResult held = run_case("fence-hol");
    CHECK(of(held, "traffic.t.latency.max") == Catch::Approx(85.6e6).epsilon(0.03));
    CHECK(held.metric("A.nic.wqe.cache.high_water") == 16);
    const ChildResult free = run_case("fence-hol", {"hosts.A.nic.wqe_cache=24"});
    CHECK(of(free, "traffic.t.latency.max") < 3e6);
}

// The FIFO holds so many whole packets of 4178 B: 3, 7, 15 and 31, of 334.24 ns each. A mouse waits for all of them but
// for the one that is leaving and the one or two whose payload is still on its way, which it passes.
TEST_CASE("library: elephants-and-mice, a mouse waits for what the TX FIFO holds") {
    const auto wait = [](const std::string& fifo) {
        return of(run_case("elephants-and-mice", {"hosts.A.nic.tx_fifo=" + fifo}), "traffic.mouse.latency.p50");
    };
    const double alone = of(run_case("elephants-and-mice", {"traffic.elephant.count=1"}), "traffic.mouse.latency.p50");
    const double packet = 334.24e3;
    CHECK(wait("16 KiB") - alone == Catch::Approx(3 * packet).margin(2 * packet));
    CHECK(wait("64 KiB") - alone == Catch::Approx(15 * packet).margin(2 * packet));
    CHECK(wait("64 KiB") - wait("32 KiB") == Catch::Approx(8 * packet).epsilon(0.02));
    CHECK(wait("128 KiB") - wait("64 KiB") == Catch::Approx(16 * packet).epsilon(0.02));
}

}  // namespace ndsim::test::library_sharing_test
