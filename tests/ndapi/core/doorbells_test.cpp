// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/doorbells.hpp"

#include "sim/base/little_endian.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_double.hpp"

namespace ndsim::test::doorbells_test {

NodeParams recording() {
    NodeParams params = driver_params();
    params.nic.doorbell.doorbell_policy = DoorbellPolicy::drop_recover;
    return params;
}

NodeParams receives_recorded() {
    NodeParams params = driver_params();
    params.nic.wqe.rq_doorbell = RqDoorbell::record;
    return params;
}

// A word of a doorbell record.
std::uint32_t word(DriverBench& bench, Address record, std::size_t offset) {
    return load_le<std::uint32_t>(bench.device.memory().bytes(record, 16) + offset);
}

Address record_of_qp(DriverBench& bench) {
    const auto record = bench.device.commands_of<QpAttributes>().at(0).what.record;
    REQUIRE(record.has_value());
    return *record;
}

Address record_of_cq(DriverBench& bench) {
    return bench.device.commands_of<CqAttributes>().at(0).what.record;
}

TEST_CASE("doorbells: a NIC that keeps all doorbells gets no record of a queue pair") {
    DriverBench bench;
    QueuePair pair(bench);
    CHECK_FALSE(bench.driver.doorbells().are_recorded());
    CHECK_FALSE(bench.device.commands_of<QpAttributes>().at(0).what.record.has_value());
    CHECK(record_of_cq(bench) != Address{});  // a completion queue always has one
}

// The Send is built at 1050 ns, and its store leaves the core 80 ns mmio_uc later.
TEST_CASE("doorbells: the record is written before the store, at the time of the core") {
    DriverBench bench(recording());
    QueuePair pair(bench);
    pair.connect();
    std::vector<std::uint32_t> seen;
    const auto look = [&] { seen.push_back(word(bench, record_of_qp(bench), 0)); };
    bench.at(1'049'999_ps, look);
    bench.at(1'050'001_ps, look);
    bench.program(1us, [&] { CHECK(pair.send(1) == STATUS_SUCCESS); });
    bench.run();
    CHECK(seen == std::vector<std::uint32_t>{0, 1});
    CHECK(bench.device.stores.at(0).at == 1130ns);
}

TEST_CASE("doorbells: the record holds the last index of each queue, and the requests up to it") {
    DriverBench bench(recording());
    QueuePair pair(bench, {4, 4, 2, 5, 64});
    pair.connect();
    bench.program(1us, [&] {
        const std::array five{pair.piece(8), pair.piece(8), pair.piece(8), pair.piece(8), pair.piece(8)};
        CHECK(pair.qp.initiator().write(nullptr, five, {}, {}) == STATUS_SUCCESS);
        CHECK(pair.send(2) == STATUS_SUCCESS);
        CHECK(pair.receive(3) == STATUS_SUCCESS);
        CHECK(pair.send(4, {.defer = true}) == STATUS_SUCCESS);  // not in the record
    });
    bench.run();
    const Address record = record_of_qp(bench);
    CHECK(word(bench, record, 0) == 3);  // units: 112 bytes and 32
    CHECK(word(bench, record, 4) == 2);  // requests
    CHECK(word(bench, record, 8) == 1);  // receives
    CHECK(bench.device.stores.size() == 3);
}

TEST_CASE("doorbells: an arm is recorded, the stronger wish of two", "[K73]") {
    DriverBench bench(recording());
    QueuePair pair(bench);
    bench.program(1us, [&] {
        pair.cq.arm(Arm::solicited);
        pair.cq.arm(Arm::errors);
    });
    bench.run();
    const Address record = record_of_cq(bench);
    CHECK(word(bench, record, 4) == 2);   // solicited
    CHECK(word(bench, record, 8) == 0);   // seen
    CHECK(word(bench, record, 12) == 0);  // serial
    CHECK(bench.device.stores.size() == 2);
}

TEST_CASE("doorbells: after a notification a weaker wish stands alone", "[K73]") {
    DriverBench bench(recording());
    QueuePair pair(bench);
    bench.program(1us, [&] {
        pair.cq.arm(Arm::any);
        bench.core.sleep(5us);
        pair.cq.arm(Arm::errors);
    });
    bench.device.interrupt(2us, pair.cq.number());
    bench.run();
    CHECK(word(bench, record_of_cq(bench), 4) == 1);   // errors
    CHECK(word(bench, record_of_cq(bench), 12) == 1);  // one notification
}

TEST_CASE("doorbells: a store of the consumer index writes no record") {
    DriverBench bench(recording());
    QueuePair pair(bench);
    const HostMemory::Region record = bench.device.memory().allocate(16);
    bench.program(1us, [&] {
        Mmio mmio;
        mmio.kind = MmioKind::cq_consumer;
        mmio.queue = raw(pair.cq.number());
        mmio.index = 7;
        bench.driver.doorbells().store(mmio, record);
        CHECK(bench.core.clock() == 1080ns);  // 80 ns mmio_uc
    });
    bench.run();
    CHECK(bench.device.stores.size() == 1);
    for (std::size_t offset = 0; offset < 16; offset += 4) {
        CHECK(word(bench, record.base, offset) == 0);
    }
}

TEST_CASE("doorbells: a poll writes the index at the time of its core, and never takes one back") {
    DriverBench bench;
    QueuePair pair(bench);
    std::vector<std::uint32_t> seen;
    const auto look = [&] { seen.push_back(word(bench, record_of_cq(bench), 0)); };
    bench.program(1us, [&] {
        bench.core.spend(CoreActivity::poll, 40ns);
        bench.driver.doorbells().store_index(pair.cq.number(), 5);
        bench.core.sleep(2us);
        bench.driver.doorbells().store_index(pair.cq.number(), 4);  // of a core that is behind
    });
    bench.at(1'039'999_ps, look);
    bench.at(1'040'001_ps, look);
    bench.at(3us, look);
    bench.run();
    CHECK(seen == std::vector<std::uint32_t>{0, 5, 5});
    CHECK(bench.device.stores.empty());
}

TEST_CASE("doorbells: with rq_doorbell record a receive is recorded and not stored") {
    DriverBench bench(receives_recorded());
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.receive(1) == STATUS_SUCCESS);
        CHECK(bench.core.clock() == 1050ns);  // 50 ns wqe_build
        CHECK(pair.receive(2) == STATUS_SUCCESS);
        CHECK(pair.send(3) == STATUS_SUCCESS);
    });
    bench.run();
    CHECK(word(bench, record_of_qp(bench), 8) == 2);
    CHECK(word(bench, record_of_qp(bench), 0) == 0);  // send queues are not recorded
    CHECK(bench.device.stores_of(MmioKind::rq_doorbell).empty());
    CHECK(bench.device.stores_of(MmioKind::sq_doorbell).size() == 1);
}

TEST_CASE("doorbells: a NIC that has flushed a queue pair gets stores for its recorded receives") {
    DriverBench bench(receives_recorded());
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.receive(1) == STATUS_SUCCESS);
        pair.qp.flush();
        CHECK(pair.receive(2) == STATUS_SUCCESS);
    });
    bench.run();
    CHECK(bench.device.commands_of<FailQp>().at(0).what.receives == 1);
    const auto rung = bench.device.stores_of(MmioKind::rq_doorbell);
    REQUIRE(rung.size() == 1);
    CHECK(rung[0].mmio.index == 2);
}

TEST_CASE("doorbells: a core stalls while its store buffer is full") {
    DriverBench bench;
    QueuePair pair(bench);
    Core narrow("narrow", bench.timeline, bench.running, 1);
    narrow.run_thread([&] {
        narrow.sleep(1us);
        narrow.stored();  // its only place, until 3 us
        narrow.store_left();
        narrow.store_taken(3us);
        pair.cq.arm(Arm::any);
        CHECK(narrow.clock() == 3080ns);  // 80 ns mmio_uc
        narrow.sync();
    });
    bench.run();
    CHECK(bench.device.stores.at(0).at == 3080ns);
}

}  // namespace ndsim::test::doorbells_test
