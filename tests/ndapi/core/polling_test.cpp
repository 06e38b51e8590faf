// SPDX-License-Identifier: Apache-2.0

#include "ndapi/core/connector.hpp"
#include "sim/base/little_endian.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_double.hpp"

namespace ndsim::test::polling_test {

using Times = std::vector<Picoseconds>;

std::uintptr_t id_of(const core::Completion& completion) {
    return reinterpret_cast<std::uintptr_t>(completion.request_context);
}

// The status of a Read and of a receive that failed in this way.
std::vector<NTSTATUS> failures(StatusProfile profile, WcStatus read, WcStatus receive) {
    DriverBench bench(driver_params(), profile);
    QueuePair pair(bench,
                   {4, 4, 2, 2, 64, Documents::networkdirect});  // they do not refuse a Read without agreed Reads
    core::Connector connector(bench.driver);
    pair.qp.set_connector(&connector);
    pair.connect();
    std::vector<NTSTATUS> seen;
    bench.program(1us, [&] {
        CHECK(pair.receive(1) == STATUS_SUCCESS);
        CHECK(pair.qp.initiator().read(nullptr, std::array{pair.piece(8)}, {}, {}, {}) == STATUS_SUCCESS);
        bench.core.sleep(3us);
        for (const core::Completion& completion : pair.poll()) {
            seen.push_back(completion.status);
        }
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::read, 0, read));
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::receive, 0, receive));
    bench.run();
    pair.qp.set_connector(nullptr);
    return seen;
}

// It polls every 10 ns, poll_empty, from 1 us on. The CQE can be seen at 2003 ns + 60 ns poll_detect; the next poll is
// at 2070 ns.
TEST_CASE("polling: a program that never gives up finds a CQE at the time of one of its polls") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    Times seen;
    bench.program(1us, [&] {
        CHECK(pair.poll().empty());
        bench.driver.spinners().look_until_changed(bench.core, "a completion");
        seen.push_back(bench.core.clock());
        CHECK(pair.poll().size() == 1);
    });
    bench.device.complete(2003ns, pair.cq.number(), pair.cqe(WqeOpcode::receive, 0));
    bench.run();
    CHECK(seen == Times{2070ns});
}

// Its poll at 2010 ns finds the CQE of 1500 ns, so that it has not looked in vain.
TEST_CASE("polling: a program that never gives up does not wait when it has just found something") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    Times seen;
    bench.program(1us, [&] {
        CHECK(pair.poll().empty());
        bench.core.spend(CoreActivity::other, 1us);
        CHECK(pair.poll().size() == 1);
        bench.driver.spinners().look_until_changed(bench.core, "a completion");
        seen.push_back(bench.core.clock());
    });
    bench.device.complete(1500ns, pair.cq.number(), pair.cqe(WqeOpcode::receive, 0));
    bench.run();
    CHECK(seen == Times{2050ns});  // 1 us + 10 ns poll_empty + 1 us + 40 ns poll_cq
}

TEST_CASE("polling: a waiting program finds a CQE poll_detect after it became visible") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    Times seen;
    bench.program(1us, [&] {
        CHECK(pair.send(5) == STATUS_SUCCESS);
        pair.cq.wait();
        seen.push_back(bench.core.clock());
        CHECK(pair.poll().size() == 1);
        seen.push_back(bench.core.clock());
        CHECK(pair.poll().empty());
        seen.push_back(bench.core.clock());
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0));
    bench.run();
    // 2 us + 60 ns poll_detect; 40 ns poll_cq; 10 ns poll_empty.
    CHECK(seen == Times{2060ns, 2100ns, 2110ns});
    check_little(bench.cqs);
}

TEST_CASE("polling: poll_detect after the CQE became visible, a poll finds it", "[limit]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(5) == STATUS_SUCCESS);
        bench.core.sleep(2060ns);  // 2 us + 60 ns poll_detect
        CHECK(pair.cq.can_poll());
        CHECK(pair.poll().size() == 1);
        CHECK(bench.core.clock() == 2100ns);
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0));
    bench.run();
}

TEST_CASE("polling: a picosecond earlier, a poll does not find it", "[limit]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(5) == STATUS_SUCCESS);
        bench.core.sleep(2'059'999_ps);
        CHECK_FALSE(pair.cq.can_poll());
        CHECK(pair.poll().empty());
        CHECK(bench.core.clock() == 2'069'999_ps);  // 10 ns poll_empty
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0));
    bench.run();
}

TEST_CASE("polling: results come in the order of the queue, with their contexts", "[K34][K35][K84]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.receive(11) == STATUS_SUCCESS);
        CHECK(pair.send(12) == STATUS_SUCCESS);
        CHECK(pair.send(13) == STATUS_SUCCESS);
        bench.core.sleep(3us);
        const auto two = pair.poll(2);  // at most as many as asked for
        REQUIRE(two.size() == 2);
        CHECK(bench.core.clock() == 3080ns);  // two times 40 ns poll_cq
        CHECK(id_of(two[0]) == 12);
        CHECK(two[0].kind == OperationKind::send);
        CHECK(two[0].status == STATUS_SUCCESS);
        CHECK(two[0].qp_context == QueuePair::context(77));
        CHECK(id_of(two[1]) == 11);
        CHECK(two[1].kind == OperationKind::receive);
        CHECK(two[1].bytes == 48);
        const auto one = pair.poll(2);
        REQUIRE(one.size() == 1);
        CHECK(id_of(one[0]) == 13);
        CHECK(pair.poll(2).empty());
    });
    Cqe receive = pair.cqe(WqeOpcode::receive, 0);
    receive.bytes = 48;
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0));
    bench.device.complete(2100ns, pair.cq.number(), receive);
    bench.device.complete(2200ns, pair.cq.number(), pair.cqe(WqeOpcode::send, 1));
    bench.run();
}

TEST_CASE("polling: entries of later passes through the ring are found as well") {
    DriverBench bench;
    QueuePair pair(bench, QueuePair::kLimits, 2);  // the ring has four places
    pair.connect();
    std::vector<std::uintptr_t> seen;
    bench.program(1us, [&] {
        for (std::uintptr_t i = 0; i < 10; ++i) {
            CHECK(pair.send(i) == STATUS_SUCCESS);
            bench.device.complete(bench.core.clock() + 500ns, pair.cq.number(),
                                  pair.cqe(WqeOpcode::send, static_cast<std::uint32_t>(i)));
            pair.cq.wait();
            for (const core::Completion& completion : pair.poll()) {
                seen.push_back(id_of(completion));
            }
            CHECK(pair.poll().empty());
        }
    });
    bench.run();
    CHECK(bench.device.commands_of<CqAttributes>().at(0).what.entries == 4);
    CHECK(seen == std::vector<std::uintptr_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("polling: silent requests before it have ended, without results", "[K52][K55]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1, {.silent = true}) == STATUS_SUCCESS);
        CHECK(pair.send(2, {.silent = true}) == STATUS_SUCCESS);
        CHECK(pair.send(3) == STATUS_SUCCESS);
        bench.core.sleep(3us);
        CHECK(bench.qps.sq.occupancy().level() == 3);
        const auto results = pair.poll();
        REQUIRE(results.size() == 1);
        CHECK(id_of(results[0]) == 3);
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 2));
    bench.run();
    bench.qps.sq.settle(bench.now());
    CHECK(bench.qps.sq.occupancy().level() == 0);
    CHECK(bench.ledgers.of(DeviceDouble::kHost).open_count() == 0);
}

TEST_CASE("polling: the NIC is told the consumer index every depth / 4 entries, memory by each poll") {
    DriverBench bench;
    QueuePair pair(bench, {4, 16, 2, 2, 64}, 16);
    pair.connect();
    const auto known = [&] {
        const Address record = bench.device.commands_of<CqAttributes>().at(0).what.record;
        return load_le<std::uint32_t>(bench.device.memory().bytes(record, 16));
    };
    bench.program(1us, [&] {
        for (std::uintptr_t i = 0; i < 7; ++i) {
            CHECK(pair.send(i, {.defer = i < 6}) == STATUS_SUCCESS);
        }
        bench.core.sleep(10us);
        CHECK(pair.poll(3).size() == 3);
        CHECK(bench.core.clock() == 10'120ns);  // three times 40 ns poll_cq
        bench.core.sleep(11us);
        CHECK(known() == 3);
        CHECK(bench.device.stores_of(MmioKind::cq_consumer).empty());
        CHECK(pair.poll(1).size() == 1);
        CHECK(bench.core.clock() == 11'120ns);  // 40 ns poll_cq + 80 ns mmio_uc
        CHECK(pair.poll(3).size() == 3);        // three since
        bench.core.sleep(12us);
        CHECK(known() == 7);
    });
    for (std::uint32_t i = 0; i < 7; ++i) {
        bench.device.complete(5us, pair.cq.number(), pair.cqe(WqeOpcode::send, i));
    }
    bench.run();
    const auto told = bench.device.stores_of(MmioKind::cq_consumer);
    REQUIRE(told.size() == 1);
    CHECK(told[0].at == 11'120ns);
    CHECK(told[0].mmio.queue == raw(pair.cq.number()));
    CHECK(told[0].mmio.index == 4);
}

TEST_CASE("polling: cq_update_every bounds the distance, and a small queue tells each entry") {
    QueueParams params;  // 16
    CHECK(core::Cq::update_every(1, params) == 1);
    CHECK(core::Cq::update_every(7, params) == 1);
    CHECK(core::Cq::update_every(8, params) == 2);
    CHECK(core::Cq::update_every(63, params) == 15);
    CHECK(core::Cq::update_every(1024, params) == 16);
}

TEST_CASE("polling: failures in profile documented", "[K102][K139]") {
    const auto seen = failures(StatusProfile::documented, WcStatus::rem_access, WcStatus::loc_len);
    CHECK(seen == std::vector<NTSTATUS>{STATUS_REMOTE_RESOURCES, STATUS_BUFFER_OVERFLOW});
}

TEST_CASE("polling: failures in profile infiniband", "[K102][K139]") {
    const auto seen = failures(StatusProfile::infiniband, WcStatus::rem_access, WcStatus::loc_len);
    CHECK(seen == std::vector<NTSTATUS>{STATUS_ACCESS_VIOLATION, STATUS_DATA_OVERRUN});
}

TEST_CASE("polling: a silent request that fails has a result", "[K48][K53][K54]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1, {.silent = true}) == STATUS_SUCCESS);
        CHECK(pair.send(2, {.silent = true}) == STATUS_SUCCESS);
        bench.core.sleep(3us);
        const auto results = pair.poll();
        REQUIRE(results.size() == 2);
        CHECK(id_of(results[0]) == 1);
        CHECK(results[0].status == STATUS_ACCESS_VIOLATION);
        CHECK(id_of(results[1]) == 2);
        CHECK(results[1].status == STATUS_CANCELLED);
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0, WcStatus::loc_prot));
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 1, WcStatus::wr_flush));
    bench.run();
}

}  // namespace ndsim::test::polling_test
