// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/returned_slots.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/device_double.hpp"

namespace ndsim::test::returned_slots_test {

TEST_CASE("returned slots: each is free from its time on") {
    core::ReturnedSlots slots;
    CHECK_FALSE(slots.next());
    slots.give(2, 100ns);
    slots.give(1, 100ns);
    slots.give(4, 150ns);
    CHECK(slots.next() == 100ns);
    CHECK(slots.to_come(99ns) == 7);
    CHECK(slots.to_come(100ns) == 4);
    CHECK(slots.next() == 150ns);
    CHECK(slots.to_come(150ns) == 0);
}

TEST_CASE("returned slots: a core that is behind another one gives its slots back with the other's") {
    core::ReturnedSlots slots;
    slots.give(2, 200ns);
    slots.give(1, 150ns);
    CHECK(slots.to_come(199ns) == 3);
    CHECK(slots.to_come(200ns) == 0);
}

// A program fills a queue of four, and posts once more at 3100 and at 3200 ns. The four completions are there at 2 us.
// Another core begins to poll them at 3 us, and has them at 3160 ns, after 40 ns for each.
void post_beside_a_poll(const std::function<NTSTATUS(QueuePair&)>& post, WqeOpcode opcode) {
    DriverBench bench;  // its queue pairs share a watch, which does not know how deep they are
    QueuePair pair(bench);
    pair.connect();
    Core other("other", bench.timeline, bench.running, 56);
    bench.program(1us, [&] {
        for (int i = 0; i < 4; ++i) {
            CHECK(post(pair) == STATUS_SUCCESS);
        }
        CHECK(post(pair) == STATUS_NO_MORE_ENTRIES);
        bench.core.sleep(3100ns);
        CHECK(post(pair) == STATUS_NO_MORE_ENTRIES);
        bench.core.sleep(3200ns);
        CHECK(post(pair) == STATUS_SUCCESS);
    });
    for (std::uint32_t i = 0; i < 4; ++i) {
        bench.device.complete(2us, pair.cq.number(), pair.cqe(opcode, i));
    }
    other.run_thread([&] {
        other.sleep(3us);
        CHECK(pair.poll().size() == 4);
        CHECK(other.clock() == 3240ns);  // 80 ns to tell the NIC how far it has polled
        other.sync();
    });
    bench.run();
}

TEST_CASE("posting: a slot of the send queue that another core's poll frees is free when that returns", "[R4][R72]") {
    post_beside_a_poll([](QueuePair& pair) { return pair.send(1); }, WqeOpcode::send);
}

TEST_CASE("posting: a slot of the receive queue that another core's poll frees is free when that returns", "[R51]") {
    post_beside_a_poll([](QueuePair& pair) { return pair.receive(1); }, WqeOpcode::receive);
}

}  // namespace ndsim::test::returned_slots_test
