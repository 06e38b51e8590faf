// SPDX-License-Identifier: Apache-2.0
#include "tests/models/wire/wire_bench.hpp"

namespace ndsim::test::egress_times_test {

// A packet with 918 bytes of payload takes 1002 bytes of the lane: 80.16 ns.
constexpr Picoseconds kPacket{80'160};

Picoseconds spent(const EgressBench& bench, std::string_view what) {
    return Picoseconds(statistic(bench.egress, what));
}

// Runs up to 3 us.
void run(EgressBench& bench) {
    bench.at(3us, [] {});
    bench.run();
    check_engines(bench.egress);
}

TEST_CASE("egress times: a pause blocks it from the end of the packet on the lane until it may go on") {
    EgressBench bench;
    bench.at(0ns, [&] {
        for (std::uint32_t i = 1; i <= 3; ++i) {
            bench.send(request(918, i), {0ns, 0ns});
        }
        bench.egress.pause(true, 10ns);
        bench.egress.pause(false, 2us);
    });
    run(bench);
    CHECK(spent(bench, "busy") == 3 * kPacket);
    CHECK(spent(bench, "pause") == 2us - kPacket);
    CHECK(spent(bench, "payload_read") == 0ns);
    CHECK(spent(bench, "idle") == 1us - 2 * kPacket);
}

TEST_CASE("egress times: a pause blocks nothing while there is nothing to send") {
    EgressBench bench;
    bench.at(0ns, [&] {
        bench.egress.pause(true, 10ns);
        bench.egress.pause(false, 1us);
    });
    bench.at(600ns, [&] { bench.send(request(918), {600ns, 600ns}); });
    run(bench);
    CHECK(spent(bench, "paused") == 990ns);
    CHECK(spent(bench, "pause") == 400ns);
    CHECK(spent(bench, "busy") == kPacket);
    CHECK(spent(bench, "idle") == 3us - 400ns - kPacket);
}

TEST_CASE("egress times: a packet whose payload is still being read blocks it, one that is only built does not") {
    EgressBench bench;
    // Issued at 100 ns; its times are known at 200 ns, and it starts at 500 ns. Building takes 35 ns.
    bench.at(100ns, [&] { CHECK(bench.reserve(wire_bytes(request(918)))); });
    bench.at(200ns, [&] { bench.egress.send(request(918), {500ns, 500ns}); });
    bench.at(1us, [&] { bench.send(request(918, 2), {1035ns, 1035ns}); });
    run(bench);
    CHECK(spent(bench, "payload_read") == 400ns);
    CHECK(spent(bench, "busy") == 2 * kPacket);
    CHECK(spent(bench, "idle") == 2600ns - 2 * kPacket);
}

TEST_CASE("egress times: behind a packet on the lane it waits for the payload of the next one") {
    EgressBench bench;
    bench.at(0ns, [&] { bench.send(request(918, 1), {0ns, 0ns}); });
    bench.at(20ns, [&] { bench.send(request(918, 2), {300ns, 300ns}); });
    run(bench);
    CHECK(spent(bench, "payload_read") == 300ns - kPacket);
    CHECK(spent(bench, "busy") == 2 * kPacket);
}

TEST_CASE("egress times: a packet that will not come is waited for no longer") {
    EgressBench bench;
    bench.at(0ns, [&] { CHECK(bench.reserve(1002_B)); });
    bench.at(1us, [&] { bench.egress.release(1002_B); });
    run(bench);
    CHECK(spent(bench, "payload_read") == 1us);
    CHECK(spent(bench, "idle") == 2us);
}

}  // namespace ndsim::test::egress_times_test
