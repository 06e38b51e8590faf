// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/device_double.hpp"

// docs/hw-interface.md, "Pushing".
namespace ndsim::test::pushing_test {

NodeParams pushing_up_to(std::uint32_t bytes) {
    NodeParams params = driver_params();
    params.nic.queues.wqe_push_max = bytes;
    return params;
}

// A unit of the send queue's ring.
std::byte* unit_at(DriverBench& bench, std::uint32_t unit) {
    const auto qp = bench.device.commands_of<QpAttributes>().at(0).what;
    return bench.device.memory().bytes(qp.sq_ring + std::uint64_t{unit} * kWqeUnit, kWqeUnit);
}

TEST_CASE("pushing: a WQE is pushed if its request is alone") {
    DriverBench bench(pushing_up_to(64));
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_SUCCESS);
        CHECK(pair.send(2) == STATUS_SUCCESS);
    });
    bench.run();
    REQUIRE(bench.device.stores.size() == 2);
    CHECK(bench.device.stores[0].at == 1125ns);  // 50 ns wqe_build + 75 ns mmio_wc64
    CHECK(bench.device.stores[0].mmio.pushed_units == 1);
    REQUIRE(bench.device.stores[0].pushed.size() == 64);
    CHECK(std::memcmp(bench.device.stores[0].pushed.data(), unit_at(bench, 0), 64) == 0);
    CHECK(bench.device.stores[1].mmio.pushed_units == 0);  // the first request still has its slot
    CHECK(bench.device.stores[1].at == 1255ns);            // 50 ns wqe_build + 80 ns mmio_uc later
    CHECK(bench.payloads.in_use() == 0);
}

// 16 bytes of header, and the data.
TEST_CASE("pushing: a WQE of exactly the most bytes is pushed", "[limit]") {
    DriverBench bench(pushing_up_to(128));
    QueuePair pair(bench, {4, 4, 2, 2, 200});
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.qp.initiator().send(nullptr, std::array{pair.piece(112)}, {.inlined = true}) == STATUS_SUCCESS);
    });
    bench.run();
    CHECK(bench.device.stores.at(0).mmio.pushed_units == 2);
    CHECK(bench.device.stores.at(0).at == 1200ns);  // 50 ns wqe_build + two times 75 ns mmio_wc64
}

TEST_CASE("pushing: a WQE of a byte more than that is not pushed", "[limit]") {
    DriverBench bench(pushing_up_to(128));
    QueuePair pair(bench, {4, 4, 2, 2, 200});
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.qp.initiator().send(nullptr, std::array{pair.piece(113)}, {.inlined = true}) == STATUS_SUCCESS);
    });
    bench.run();
    CHECK(bench.device.stores.at(0).mmio.pushed_units == 0);
    CHECK(bench.device.stores.at(0).mmio.index == 3);  // units: 129 bytes
}

TEST_CASE("pushing: a request is alone again when the earlier ones are polled") {
    DriverBench bench(pushing_up_to(64));
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_SUCCESS);
        bench.core.sleep(3us);
        CHECK(pair.send(2) == STATUS_SUCCESS);  // the completion of the first is there, and not polled
        bench.core.sleep(5us);
        CHECK(pair.poll().size() == 2);
        CHECK(pair.send(3) == STATUS_SUCCESS);
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0));
    bench.device.complete(4us, pair.cq.number(), pair.cqe(WqeOpcode::send, 1));
    bench.run();
    REQUIRE(bench.device.stores.size() == 3);
    CHECK(bench.device.stores[0].mmio.pushed_units == 1);
    CHECK(bench.device.stores[1].mmio.pushed_units == 0);
    CHECK(bench.device.stores[2].mmio.pushed_units == 1);
}

TEST_CASE("pushing: a doorbell for two requests pushes none") {
    DriverBench bench(pushing_up_to(256));
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1, {.defer = true}) == STATUS_SUCCESS);
        CHECK(pair.send(2) == STATUS_SUCCESS);
    });
    bench.run();
    REQUIRE(bench.device.stores.size() == 1);
    CHECK(bench.device.stores[0].mmio.pushed_units == 0);
    CHECK(bench.device.stores[0].at == 1180ns);  // two times 50 ns wqe_build + 80 ns mmio_uc
}

// Room for one request: 16 + 16 + 200 bytes, 4 units. So the ring has 16, and entries of 3 units begin at 0, 3 ... 15.
TEST_CASE("pushing: an entry over the ring's end is in the ring in two parts, and not pushed") {
    DriverBench bench(pushing_up_to(256));
    QueuePair pair(bench, {4, 4, 2, 2, 200});
    pair.connect();
    bench.program(1us, [&] {
        for (std::uint32_t i = 0; i < 6; ++i) {
            CHECK(pair.qp.initiator().send(nullptr, std::array{pair.piece(176)}, {.inlined = true}) == STATUS_SUCCESS);
            bench.device.complete(bench.core.clock() + 500ns, pair.cq.number(), pair.cqe(WqeOpcode::send, i));
            pair.cq.wait();
            CHECK(pair.poll().size() == 1);
        }
    });
    bench.run();
    CHECK(bench.device.commands_of<QpAttributes>().at(0).what.sq_units == 16);
    const auto rung = bench.device.stores_of(MmioKind::sq_doorbell);
    REQUIRE(rung.size() == 6);
    CHECK(rung[4].mmio.pushed_units == 3);
    CHECK(rung[4].mmio.index == 15);
    CHECK(rung[5].mmio.pushed_units == 0);
    CHECK(rung[5].mmio.index == 18);  // absolute
    CHECK(read_wqe_header(unit_at(bench, 15)).index == 5);
    // Units 0 and 1 hold the data from byte 48 on.
    CHECK(std::memcmp(unit_at(bench, 0), pair.bytes.data() + 48, 64) == 0);
    CHECK(std::memcmp(unit_at(bench, 1), pair.bytes.data() + 112, 64) == 0);
}

}  // namespace ndsim::test::pushing_test
