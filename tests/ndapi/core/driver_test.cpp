// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "tests/support/catch.hpp"
#include "tests/support/device_double.hpp"

namespace ndsim::test::driver_test {

// Calls from a callback that begins at this time.
void in_callback(DriverBench& bench, Picoseconds when, std::function<void()> call) {
    bench.at(when, [&bench, when, call = std::move(call)] { bench.driver.callbacks().defer(when, call); });
}

TEST_CASE("driver: a queue pair that fails is in the list, with its reason and time") {
    DriverBench bench;
    QueuePair pair(bench);
    bench.at(2us, [&] { bench.device.events->qp_error(pair.qp.number(), WcStatus::loc_prot); });
    bench.run();
    const auto& failures = bench.driver.qp_failures();
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].qp == pair.qp.number());
    CHECK(failures[0].why == WcStatus::loc_prot);
    CHECK(failures[0].at == 2us);
}

TEST_CASE("driver: a queue pair that its program has flushed is no failure") {
    DriverBench bench;
    QueuePair pair(bench);
    bench.program(1us, [&] { pair.qp.flush(); });
    bench.at(2us, [&] { bench.device.events->qp_error(pair.qp.number(), WcStatus::wr_flush); });
    bench.run();
    CHECK(bench.driver.qp_failures().empty());
}

TEST_CASE("driver: an event for a number that is gone does nothing") {
    DriverBench bench;
    bench.at(2us, [&] {
        bench.device.events->qp_error(QpNum{0x11}, WcStatus::loc_prot);
        bench.device.events->srq_limit(SrqNum{3});
    });
    bench.run();
    CHECK(bench.driver.qp_failures().empty());
    CHECK(bench.now() == 2us);
}

TEST_CASE("driver: posts to one send queue that overlap are the consumer's error", "[K27]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] { CHECK(pair.send(1) == STATUS_SUCCESS); });  // until 1130 ns
    in_callback(bench, 1100ns, [&] { CHECK(pair.send(2) == STATUS_SUCCESS); });
    bench.run();
    CHECK(bench.driver.consumer_errors() == 1);
}

TEST_CASE("driver: a post at the very end of another one does not overlap with it") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] { CHECK(pair.send(1) == STATUS_SUCCESS); });
    // 1 us + 50 ns wqe_build + 80 ns mmio_uc
    in_callback(bench, 1130ns, [&] { CHECK(pair.send(2) == STATUS_SUCCESS); });
    bench.run();
    CHECK(bench.driver.consumer_errors() == 0);
}

TEST_CASE("driver: a post a picosecond before the end of another one overlaps with it") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] { CHECK(pair.send(1) == STATUS_SUCCESS); });
    in_callback(bench, 1'129'999_ps, [&] { CHECK(pair.send(2) == STATUS_SUCCESS); });
    bench.run();
    CHECK(bench.driver.consumer_errors() == 1);
}

TEST_CASE("driver: a receive and a Send may be posted at the same time", "[K25]") {
    DriverBench bench;
    QueuePair pair(bench);
    pair.connect();
    bench.program(1us, [&] { CHECK(pair.send(1) == STATUS_SUCCESS); });
    in_callback(bench, 1us, [&] { CHECK(pair.receive(2) == STATUS_SUCCESS); });
    bench.run();
    CHECK(bench.driver.consumer_errors() == 0);
}

TEST_CASE("driver: arming a queue during a poll of it is the consumer's error", "[K82]") {
    DriverBench bench;
    QueuePair pair(bench);
    bench.program(1us, [&] { pair.cq.arm(Arm::any); });  // until 1080 ns
    in_callback(bench, 1050ns, [&] { CHECK(pair.poll().empty()); });
    bench.run();
    CHECK(bench.driver.consumer_errors() == 1);
}

TEST_CASE("driver: requests of open chains are counted over all queue pairs", "[K41]") {
    DriverBench bench;
    QueuePair one(bench);
    QueuePair other(bench);
    one.connect();
    other.connect();
    bench.program(1us, [&] {
        CHECK(one.send(1, {.defer = true}) == STATUS_SUCCESS);
        CHECK(one.send(2, {.defer = true}) == STATUS_SUCCESS);
        CHECK(other.send(3, {.defer = true}) == STATUS_SUCCESS);
        CHECK(bench.driver.deferred() == 3);
        CHECK(one.send(4) == STATUS_SUCCESS);
    });
    bench.run();
    CHECK(bench.driver.deferred() == 1);
}

TEST_CASE("driver: whether a creation is over with its call") {
    DriverBench bench;
    CHECK(bench.driver.creates_inline(false));
    CHECK_FALSE(bench.driver.creates_inline(true));  // the NIC takes part
}

TEST_CASE("driver: with create_inline always_async every creation pends") {
    NodeParams params = driver_params();
    params.adapter.create_inline = CreateInline::always_async;
    DriverBench bench(params);
    CHECK_FALSE(bench.driver.creates_inline(false));
    CHECK_FALSE(bench.driver.creates_inline(true));
}

TEST_CASE("driver: commands go out at the time of the calling core") {
    DriverBench bench;
    std::vector<Picoseconds> done;
    bench.program(1us, [&] {
        bench.core.spend(CoreActivity::other, 300ns);
        bench.driver.command(DestroyKey{MrKey{0x200}}, [&] { done.push_back(bench.now()); });
    });
    bench.run();
    CHECK(bench.device.commands_of<DestroyKey>().at(0).at == 1300ns);
    CHECK(done == std::vector<Picoseconds>{1400ns});  // 100 ns: the device's answer
}

TEST_CASE("driver: a number of a completion queue rests until 1024 others were given back") {
    DriverBench bench;
    core::Registry& registry = bench.driver.registry();
    core::Cq first(bench.driver, 4, nullptr);
    CHECK(registry.find(first.number()) == &first);
    registry.remove(first.number());
    CHECK(registry.find(first.number()) == nullptr);
    std::set<CqNum> seen;
    for (int i = 0; i < 1024; ++i) {
        const core::Cq other(bench.driver, 4, nullptr);
        seen.insert(other.number());
        registry.remove(other.number());
    }
    CHECK(seen.size() == 1024);
    CHECK_FALSE(seen.contains(first.number()));
    CHECK(core::Cq(bench.driver, 4, nullptr).number() == first.number());
}

TEST_CASE("driver: a queue pair in the place of an earlier one has another number") {
    DriverBench bench;
    core::Pd pd(bench.driver);
    core::Cq cq(bench.driver, 4, nullptr);
    const auto make = [&] { return std::make_unique<core::Qp>(pd, cq, cq, nullptr, nullptr, QueuePair::kLimits); };
    const QpNum first = make()->number();
    for (int i = 0; i < 1024; ++i) {
        CHECK(make()->number() != first);
    }
    const auto again = make();
    CHECK(qp_index(again->number()) == qp_index(first));
    CHECK(again->number() != first);  // so a late packet does not find it
    CHECK(bench.driver.registry().find(first) == nullptr);
    CHECK(bench.driver.registry().find(again->number()) == again.get());
    CHECK(bench.driver.registry().qps() == std::vector<core::Qp*>{again.get()});
}

TEST_CASE("driver: keys of two hosts differ, and none is the privileged one") {
    core::Registry one(HostId{0});
    core::Registry other(HostId{1});
    std::set<std::uint32_t> indices;
    for (int i = 0; i < 1000; ++i) {
        indices.insert(key_index(one.new_key()));
        indices.insert(key_index(other.new_key()));
    }
    CHECK(indices.size() == 2000);
    CHECK_FALSE(indices.contains(key_index(kPrivilegedKey)));
    CHECK_FALSE(indices.contains(0));
}

TEST_CASE("driver: each registration of a region has another key of the same object") {
    DriverBench bench;
    core::Pd pd(bench.driver);
    core::Mr mr(pd);
    std::vector<std::byte> bytes(64);
    std::vector<MrKey> keys;
    const auto again = [&] {
        mr.register_memory(bytes.data(), bytes.size(), kLocalRead, [&](NTSTATUS) { keys.push_back(mr.key()); });
    };
    bench.program(1us, [&] {
        again();
        bench.core.sleep(2us);
        CHECK(mr.covers(bytes.data() + 63, 1));
        CHECK_FALSE(mr.covers(bytes.data() + 63, 2));
        mr.deregister([](NTSTATUS) {});
        bench.core.sleep(3us);
        CHECK(bench.driver.registry().find(keys.at(0)) == nullptr);
        again();
    });
    bench.run();
    REQUIRE(keys.size() == 2);
    CHECK(keys[0] != keys[1]);
    CHECK(key_index(keys[0]) == key_index(keys[1]));
    CHECK(bench.device.commands_of<MemoryRegion>().at(1).what.key == keys[1]);
}

}  // namespace ndsim::test::driver_test
