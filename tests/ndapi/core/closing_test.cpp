// SPDX-License-Identifier: Apache-2.0

#include "tests/support/catch.hpp"
#include "tests/support/device_double.hpp"

namespace ndsim::test::closing_test {

using Marks = std::vector<std::pair<std::string, Picoseconds>>;

// Closes an object, and marks its CloseCompletion.
void close(DriverBench& bench, core::Object& object, const std::string& what, Marks& marks) {
    object.close([&bench, what, &marks](const std::function<void()>& let_go) {
        bench.driver.callbacks().defer(bench.driver.now(), [&bench, what, &marks, let_go] {
            marks.emplace_back(what, bench.callback_core.clock());
            let_go();
        });
    });
}

TEST_CASE("closing: a queue pair is flushed, then quiet, then destroyed, then closed", "[K17][K207]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    Marks marks;
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_SUCCESS);
        CHECK(pair.send(2, {.defer = true}) == STATUS_SUCCESS);
        bench.core.sleep(2us);
        close(bench, pair.qp, "qp", marks);
    });
    bench.run();
    const auto failed = bench.device.commands_of<FailQp>();
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].at == 2us);
    CHECK(failed[0].what.qp == pair.qp.number());
    CHECK(failed[0].what.oldest == WcStatus::wr_flush);
    CHECK(failed[0].what.producer == 2);  // the deferred request, too, which has no doorbell
    CHECK(failed[0].what.entries == 2);
    REQUIRE(bench.device.quiesces.size() == 1);
    CHECK(bench.device.quiesces[0].at == 2us);
    CHECK(bench.device.quiesces[0].what == pair.qp.number());
    const auto destroyed = bench.device.commands_of<DestroyQp>();
    REQUIRE(destroyed.size() == 1);
    CHECK(destroyed[0].at == 2100ns);        // 100 ns: the device's answer that it is quiet
    CHECK(marks == Marks{{"qp", 2200ns}});   // and its answer to the last command
    CHECK(bench.device.stores.size() == 1);  // no doorbell for the deferred request
}

TEST_CASE("closing: the results of a closed queue pair can still be polled", "[K46][K147][K207]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    Marks marks;
    bool forgotten = false;
    std::vector<std::uintptr_t> seen;
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_SUCCESS);
        CHECK(pair.send(2, {.silent = true, .defer = true}) == STATUS_SUCCESS);
        close(bench, pair.qp, "qp", marks);
        bench.core.sleep(5us);
        REQUIRE(marks.size() == 1);
        pair.qp.when_unused([&] { forgotten = true; });
        CHECK_FALSE(forgotten);
        for (const core::Completion& completion : pair.poll()) {
            CHECK(completion.status == STATUS_CANCELLED);
            seen.push_back(reinterpret_cast<std::uintptr_t>(completion.request_context));
        }
        CHECK(forgotten);
    });
    bench.device.complete(1400ns, pair.cq.number(), pair.cqe(WqeOpcode::send, 0, WcStatus::wr_flush));
    bench.device.complete(1400ns, pair.cq.number(), pair.cqe(WqeOpcode::send, 1, WcStatus::wr_flush));
    bench.run();
    CHECK(seen == std::vector<std::uintptr_t>{1, 2});
}

TEST_CASE("closing: a completion queue stays until its queue pair is closed", "[K199][K201]") {
    DriverBench bench;
    QueuePair pair(bench);
    Marks marks;
    bench.program(1us, [&] {
        close(bench, pair.cq, "cq", marks);
        bench.core.sleep(10us);
        CHECK(marks.empty());
        CHECK(bench.driver.registry().find(pair.cq.number()) == &pair.cq);
        close(bench, pair.qp, "qp", marks);
    });
    bench.run();
    // 200 ns: the queue pair is quiet, and destroyed. Until then the device writes entries to the queue; its own
    // command takes 100 ns more.
    CHECK(marks == Marks{{"qp", 10'200ns}, {"cq", 10'300ns}});
    const auto destroyed = bench.device.commands_of<DestroyCq>();
    REQUIRE(destroyed.size() == 1);
    CHECK(destroyed[0].at == 10'200ns);
    CHECK(bench.driver.registry().find(pair.cq.number()) == nullptr);
}

TEST_CASE("closing: a protection domain stays until its regions and queue pairs are closed", "[K200][K206]") {
    DriverBench bench;
    QueuePair pair(bench);
    Marks marks;
    bench.program(1us, [&] {
        close(bench, pair.pd, "pd", marks);
        close(bench, pair.mr, "mr", marks);
        bench.core.sleep(5us);
        close(bench, pair.qp, "qp", marks);
    });
    bench.run();
    // The region's key is destroyed with one command, the queue pair takes two answers.
    CHECK(marks == Marks{{"mr", 1100ns}, {"qp", 5200ns}, {"pd", 5200ns}});
    CHECK(bench.device.commands_of<DestroyKey>().size() == 1);
}

TEST_CASE("closing: what depends on an object is told first, while its callback lasts", "[K201]") {
    DriverBench bench;
    QueuePair pair(bench);
    Marks marks;
    bench.program(1us, [&] {
        close(bench, pair.cq, "cq", marks);
        pair.qp.close([&](const std::function<void()>& let_go) {
            bench.callback_core.spend(CoreActivity::other, 3us);
            marks.emplace_back("qp", bench.callback_core.clock());
            let_go();
        });
    });
    bench.run();
    // 1 us + 200 ns: two answers; 3 us in the callback; 100 ns: the answer to the completion queue's own command
    CHECK(marks == Marks{{"qp", 4200ns}, {"cq", 4300ns}});
}

TEST_CASE("closing: a registration under way completes before its region is closed", "[K202]") {
    DriverBench bench;
    core::Pd pd(bench.driver);
    core::Mr mr(pd);
    Marks marks;
    std::vector<std::byte> bytes(64);
    bench.program(1us, [&] {
        mr.register_memory(bytes.data(), bytes.size(), kLocalWrite, [&](NTSTATUS status) {
            CHECK(status == STATUS_SUCCESS);
            marks.emplace_back("registered", bench.callback_core.clock());
        });
        close(bench, mr, "mr", marks);
    });
    bench.run();
    CHECK(marks == Marks{{"registered", 1100ns}, {"mr", 1200ns}});  // one answer each
    CHECK(bench.device.commands_of<DestroyKey>().at(0).at == 1100ns);
}

TEST_CASE("closing: posts during a flush ring when it has ended, and those before it never", "[K46][K150]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1, {.defer = true}) == STATUS_SUCCESS);
        pair.qp.flush();  // at 1050 ns, answered at 1150 ns
        CHECK(pair.send(2) == STATUS_SUCCESS);
        CHECK(bench.core.clock() == 1100ns);  // 50 ns wqe_build, and no store
        bench.core.sleep(2us);
        CHECK(pair.send(3) == STATUS_SUCCESS);
    });
    bench.run();
    CHECK(bench.device.commands_of<FailQp>().at(0).what.entries == 1);
    REQUIRE(bench.device.stores.size() == 2);
    CHECK(bench.device.stores[0].at == 1230ns);  // 1150 ns + 80 ns mmio_uc, by the callback core
    CHECK(bench.device.stores[0].mmio.entries == 2);
    CHECK(bench.device.stores[1].at == 2130ns);
    CHECK(bench.device.stores[1].mmio.entries == 3);
}

// The core's poll takes until 6 us. What it posts then, the NIC must not see earlier.
TEST_CASE("closing: a flush covers what is posted by then, and no post of a core that is ahead") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] {
        CHECK(pair.send(1) == STATUS_SUCCESS);
        CHECK(pair.send(2, {.defer = true}) == STATUS_SUCCESS);
        bench.core.spend(CoreActivity::poll, 5us);
        CHECK(pair.send(3) == STATUS_SUCCESS);
    });
    bench.at(2us, [&] { bench.driver.callbacks().defer(2us, [&] { pair.qp.flush(); }); });
    bench.run();
    const auto failed = bench.device.commands_of<FailQp>();
    REQUIRE(failed.size() == 1);
    CHECK(failed[0].what.producer == 2);
    CHECK(failed[0].what.entries == 2);
    REQUIRE(bench.device.stores.size() == 2);
    CHECK(bench.device.stores[1].at > 6us);
    CHECK(bench.device.stores[1].mmio.index == 3);
    CHECK(bench.device.stores[1].mmio.entries == 3);
}

TEST_CASE("closing: nothing is answered while the device holds its answers") {
    DriverBench bench;
    QueuePair pair(bench);
    Marks marks;
    bench.program(1us, [&] {
        bench.device.holds_answers = true;
        close(bench, pair.qp, "qp", marks);
        bench.core.sleep(50us);
        CHECK(marks.empty());
        CHECK(bench.device.commands_of<DestroyQp>().empty());
        bench.device.answer_all();
    });
    bench.run();
    CHECK(bench.device.commands_of<DestroyQp>().at(0).at == 50'100ns);
    CHECK(marks == Marks{{"qp", 50'200ns}});
}

}  // namespace ndsim::test::closing_test
