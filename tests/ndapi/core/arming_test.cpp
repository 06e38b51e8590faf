// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/device_double.hpp"

namespace ndsim::test::arming_test {

using Notes = std::vector<QueuePair::Note>;

TEST_CASE("arming: an arm is one store, with the consumer index and no notification yet") {
    DriverBench bench;
    QueuePair pair(bench);
    bench.program(1us, [&] {
        pair.cq.arm(Arm::solicited);
        CHECK(bench.core.clock() == 1080ns);  // 80 ns mmio_uc
    });
    bench.run();
    REQUIRE(bench.device.stores.size() == 1);
    const DeviceDouble::Store& store = bench.device.stores[0];
    CHECK(store.at == 1080ns);
    CHECK(store.mmio.kind == MmioKind::cq_arm);
    CHECK(store.mmio.queue == raw(pair.cq.number()));
    CHECK(store.mmio.arm == Arm::solicited);
    CHECK(store.mmio.index == 0);
    CHECK(store.mmio.seen == 0);
    CHECK(store.mmio.serial == 0);
    CHECK(pair.notes.empty());
}

TEST_CASE("arming: an interrupt brings one callback, on the callback core", "[K67]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_SUCCESS);
        CHECK(pair.send(2) == STATUS_SUCCESS);
        pair.cq.arm(Arm::any);
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0));
    bench.device.interrupt(2us, pair.cq.number());
    bench.device.complete(4us, pair.cq.number(), pair.cqe(WqeOpcode::send, 1));
    bench.device.interrupt(4us, pair.cq.number());  // without another arm
    bench.run();
    CHECK(pair.notes == Notes{{3200ns, STATUS_SUCCESS}});  // 2 us + 1200 ns msix_to_isr
}

TEST_CASE("arming: the callback runs on the callback core, and its calls cost that core") {
    DriverBench bench;
    QueuePair pair(bench);
    bool is_callback = false;
    core::Cq other(bench.driver, 16, [&](NTSTATUS) {
        is_callback = bench.driver.callbacks().is_calling();
        other.arm(Arm::any);
    });
    other.create([](NTSTATUS) {});
    bench.program(1us, [&] { other.arm(Arm::any); });
    bench.device.interrupt(2us, other.number());
    bench.run();
    CHECK(is_callback);
    REQUIRE(bench.device.stores.size() == 2);
    CHECK(bench.device.stores[1].at == 3280ns);  // 2 us + 1200 ns msix_to_isr + 80 ns mmio_uc
    CHECK(bench.device.stores[1].mmio.serial == 1);
    CHECK(statistic(bench.callback_core, "store") == 80'000);
}

TEST_CASE("arming: a queue that was never armed never calls back", "[K66]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] { CHECK(pair.send(1) == STATUS_SUCCESS); });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0));
    bench.device.interrupt(2us, pair.cq.number());
    bench.run();
    CHECK(pair.notes.empty());
}

TEST_CASE("arming: what was there at the last callback is no news", "[K69]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_SUCCESS);
        pair.cq.arm(Arm::any);
        bench.core.sleep(5us);  // the callback was at 3200 ns; nothing is polled
        pair.cq.arm(Arm::any);
        CHECK(pair.poll().size() == 1);
        pair.cq.arm(Arm::any);
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0));
    bench.device.interrupt(2us, pair.cq.number());
    bench.run();
    const auto arms = bench.device.stores_of(MmioKind::cq_arm);
    REQUIRE(arms.size() == 3);
    CHECK(arms[1].mmio.index == 0);
    CHECK(arms[1].mmio.seen == 1);  // visible when the callback began
    CHECK(arms[1].mmio.serial == 1);
    CHECK(arms[2].mmio.index == 1);
    CHECK(arms[2].mmio.seen == 1);
    CHECK(arms[2].mmio.serial == 1);
}

TEST_CASE("arming: a CQE that came after the last callback is news", "[K68][K70]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_SUCCESS);
        CHECK(pair.send(2) == STATUS_SUCCESS);
        pair.cq.arm(Arm::any);
        bench.core.sleep(5us);
        CHECK(pair.poll(1).size() == 1);  // the second one stays
        pair.cq.arm(Arm::any);
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0));
    bench.device.interrupt(2us, pair.cq.number());
    bench.device.complete(4us, pair.cq.number(), pair.cqe(WqeOpcode::send, 1));
    bench.run();
    const auto arms = bench.device.stores_of(MmioKind::cq_arm);
    REQUIRE(arms.size() == 2);
    CHECK(arms[1].mmio.seen == 1);  // so the NIC, which has written two, raises the interrupt at once
}

// Polls find a CQE 60 ns (poll_detect) after it is visible. The second one is visible 30 ns before the callback, which
// begins at 2 us + 1200 ns msix_to_isr.
TEST_CASE("arming: a CQE that no poll could find when the callback began is news", "[K70]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_SUCCESS);
        CHECK(pair.send(2) == STATUS_SUCCESS);
        pair.cq.arm(Arm::any);
        bench.core.sleep(3210ns);  // the callback has begun
        CHECK(pair.poll(8).size() == 1);
        pair.cq.arm(Arm::any);
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0));
    bench.device.interrupt(2us, pair.cq.number());
    bench.device.complete(3170ns, pair.cq.number(), pair.cqe(WqeOpcode::send, 1));
    bench.run();
    const auto arms = bench.device.stores_of(MmioKind::cq_arm);
    REQUIRE(arms.size() == 2);
    CHECK(arms[1].mmio.index == 1);
    CHECK(arms[1].mmio.seen == 1);
}

TEST_CASE("arming: a failure counts once a poll could find it", "[R80]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_SUCCESS);
        bench.core.sleep(2050ns);
        CHECK(pair.cq.failures() == 0);
        CHECK_FALSE(pair.cq.holds_failure());
        bench.core.sleep(2060ns);
        CHECK(pair.cq.failures() == 1);
        CHECK(pair.cq.holds_failure());
        CHECK(pair.poll().size() == 1);
        CHECK(pair.cq.failures() == 1);
        CHECK_FALSE(pair.cq.holds_failure());
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0, WcStatus::rem_access));
    bench.run();
}

// The NIC has been told of the second arm: its interrupt for an entry that came after it is that arm's.
TEST_CASE("arming: an arm behind a removed one needs no second interrupt", "[R77][R87]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_SUCCESS);
        pair.cq.arm(Arm::any);
        pair.cq.disarm();
        pair.cq.arm(Arm::any);
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0));
    bench.device.interrupt(2us, pair.cq.number());
    bench.run();
    CHECK(pair.notes == Notes{{3200ns, STATUS_SUCCESS}});  // 2 us + 1200 ns msix_to_isr
    CHECK(bench.device.stores_of(MmioKind::cq_arm).size() == 2);
}

TEST_CASE("arming: with arm_stale fire, what is unpolled counts as news", "[K69]") {
    NodeParams params = driver_params();
    params.nic.queues.cq.arm_stale = ArmStale::fire;
    DriverBench bench(params);
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_SUCCESS);
        pair.cq.arm(Arm::any);
        bench.core.sleep(5us);
        pair.cq.arm(Arm::any);
    });
    bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, 0));
    bench.device.interrupt(2us, pair.cq.number());
    bench.run();
    const auto arms = bench.device.stores_of(MmioKind::cq_arm);
    REQUIRE(arms.size() == 2);
    CHECK(arms[1].mmio.seen == 0);  // the consumer index
}

TEST_CASE("arming: an arm reports the consumer index, so polls need not") {
    DriverBench bench;
    QueuePair pair(bench, {4, 8, 2, 2, 64}, 16);  // told every four entries
    pair.connect();
    bench.program(1us, [&] {
        for (std::uintptr_t i = 0; i < 5; ++i) {
            CHECK(pair.send(i, {.defer = i < 4}) == STATUS_SUCCESS);
        }
        bench.core.sleep(3us);
        CHECK(pair.poll(3).size() == 3);
        pair.cq.arm(Arm::any);
        CHECK(pair.poll(3).size() == 2);
    });
    for (std::uint32_t i = 0; i < 5; ++i) {
        bench.device.complete(2us, pair.cq.number(), pair.cqe(WqeOpcode::send, i));
    }
    bench.run();
    CHECK(bench.device.stores_of(MmioKind::cq_arm).at(0).mmio.index == 3);
    CHECK(bench.device.stores_of(MmioKind::cq_consumer).empty());  // only two since
}

TEST_CASE("arming: a callback waits for the one that runs", "[K71]") {
    DriverBench bench;
    QueuePair pair(bench);
    bench.program(1us, [&] { pair.cq.arm(Arm::any); });
    bench.at(3us, [&] {
        bench.driver.callbacks().defer(3us, [&] { bench.callback_core.spend(CoreActivity::other, 700ns); });
    });
    bench.device.interrupt(2us, pair.cq.number());
    bench.run();
    CHECK(pair.notes == Notes{{3700ns, STATUS_SUCCESS}});  // due at 3200 ns
}

TEST_CASE("arming: an overrun calls back, and is told once", "[K79][K163]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        pair.cq.arm(Arm::errors);
        bench.core.sleep(3us);
        CHECK(pair.send(1) == STATUS_CONNECTION_INVALID);
        CHECK(pair.receive(2) == STATUS_CONNECTION_INVALID);
        pair.cq.arm(Arm::errors);
    });
    bench.at(2us, [&] { bench.device.events->cq_error(pair.cq.number()); });
    bench.run();
    CHECK(pair.notes == Notes{{2us, STATUS_BUFFER_OVERFLOW}});
    CHECK(bench.driver.counters().cq_errors == 1);
}

TEST_CASE("arming: an overrun of an unarmed queue is told when it is armed", "[K80]") {
    DriverBench bench;
    QueuePair pair(bench);
    bench.program(1us, [&] {
        bench.core.sleep(3us);
        CHECK(pair.notes.empty());
        pair.cq.arm(Arm::any);
        CHECK(pair.notes.empty());  // the callback comes from the callback core
    });
    bench.at(2us, [&] { bench.device.events->cq_error(pair.cq.number()); });
    bench.run();
    CHECK(pair.notes == Notes{{3us, STATUS_BUFFER_OVERFLOW}});
}

TEST_CASE("arming: no callback comes after the queue is closed", "[K85]") {
    DriverBench bench;
    core::Cq cq(bench.driver, 16, [](NTSTATUS) { FAIL("a closed queue calls back"); });
    cq.create([](NTSTATUS) {});
    std::vector<Picoseconds> closed;
    bench.program(1us, [&] {
        cq.arm(Arm::any);
        bench.core.sleep(3us);
        cq.close([&](const std::function<void()>& let_go) {
            closed.push_back(bench.callback_core.clock());
            let_go();
        });
    });
    bench.device.interrupt(2us, cq.number());  // its handler would call back at 3200 ns
    bench.run();
    CHECK(closed == std::vector<Picoseconds>{3100ns});  // 100 ns: the device's answer
}

}  // namespace ndsim::test::arming_test
