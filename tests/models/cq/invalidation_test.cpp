// SPDX-License-Identifier: Apache-2.0

#include "tests/models/cq/cq_bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::invalidation_test {

constexpr CqNum kCq = CqBench::kCq;

// A receive whose message has invalidated key 0x305.
Cqe invalidating(bool solicited) {
    Cqe cqe;
    cqe.qp = kQp;
    cqe.opcode = WqeOpcode::receive;
    cqe.bytes = 10;
    cqe.token = 0x305;
    cqe.solicited = solicited;
    return cqe;
}

TEST_CASE("cq: a queue that wants invalidations apart has their entries in front of the receives'", "[R34][R48]") {
    CqBench bench;
    bench.engine.create_cq({.cq = kCq,
                            .ring = Memory::kBase,
                            .entries = 4,
                            .limit = 4,
                            .vector = 9,
                            .record = Memory::kBase + CqBench::kIndex,
                            .reports_invalidations = true});
    bench.engine.arm({kCq, Arm::solicited, 0, 0});
    bench.at(100ns, [&] { bench.engine.complete(kCq, invalidating(true), bench.now(), false); });
    bench.run();
    REQUIRE(bench.cqes() == 2);
    const Cqe first = read_cqe(bench.memory.data.data());
    CHECK(first.invalidation);
    CHECK(first.token == 0x305);
    CHECK(first.bytes == 0);
    CHECK_FALSE(first.solicited);
    const Cqe second = read_cqe(bench.memory.data.data() + kCqeSize);
    CHECK_FALSE(second.invalidation);
    CHECK(second.token == 0);
    CHECK(second.bytes == 10);
    CHECK(second.solicited);
    CHECK(bench.interrupts() == 1);
    CHECK(bench.dma.writes.back().train.interrupt);  // behind both
}

TEST_CASE("cq: an invalidation takes a place of the queue, which the receive may then not find", "[R51]") {
    CqBench bench;
    bench.engine.create_cq({.cq = kCq,
                            .ring = Memory::kBase,
                            .entries = 4,
                            .limit = 2,
                            .vector = 9,
                            .record = Memory::kBase + CqBench::kIndex,
                            .reports_invalidations = true});
    bench.at(100ns, [&] {
        bench.complete();
        bench.engine.complete(kCq, invalidating(false), bench.now(), false);
    });
    bench.run();
    // The first entry and the invalidation fill the two places.
    CHECK(bench.cqes() == 2);
    CHECK(read_cqe(bench.memory.data.data() + kCqeSize).invalidation);
    CHECK(bench.faults.failed == std::vector<CqNum>{kCq});
}

TEST_CASE("cq: without that wish one entry tells of both", "[K110]") {
    CqBench bench;
    bench.at(100ns, [&] { bench.engine.complete(kCq, invalidating(false), bench.now(), false); });
    bench.run();
    REQUIRE(bench.cqes() == 1);
    const Cqe only = read_cqe(bench.memory.data.data());
    CHECK_FALSE(only.invalidation);
    CHECK(only.token == 0x305);
    CHECK(only.bytes == 10);
}

// The key is dead 100 ns after the message has come. Until then what others write goes on; of its own queue, what came
// behind it waits, as entries of one queue stay in order.
TEST_CASE("cq: an entry that waits for its key to die leaves the link to other queues") {
    constexpr CqNum kOther{2};
    CqBench bench;
    bench.engine.create_cq({.cq = kOther, .ring = Memory::kBase + 4096, .entries = 4, .limit = 4, .vector = 9});
    const auto plain = [](std::uint32_t index) {
        Cqe cqe;
        cqe.qp = kQp;
        cqe.wqe_index = index;
        return cqe;
    };
    bench.at(100ns, [&] {
        bench.engine.complete(kCq, invalidating(false), 200ns, true);
        bench.engine.complete(kCq, plain(1), 100ns, true);
        bench.engine.complete(kOther, plain(2), 100ns, true);
        CHECK(bench.engine.holds_back());
    });
    bench.at(150ns, [&] { bench.engine.complete(kOther, plain(3), 150ns, true); });
    bench.at(250ns, [&] {
        CHECK_FALSE(bench.engine.holds_back());
        bench.engine.complete(kCq, plain(4), 250ns, true);
    });
    bench.run();
    std::vector<std::pair<Address, Picoseconds>> given;
    for (const auto& write : bench.dma.writes) {
        CHECK(write.train.ready.end == write.at);  // nothing that others could not pass
        given.emplace_back(write.train.to, write.at);
    }
    CHECK(given == std::vector<std::pair<Address, Picoseconds>>{{Memory::kBase + 4096, 100ns},
                                                                {Memory::kBase + 4096 + 64, 150ns},
                                                                {Memory::kBase, 200ns},
                                                                {Memory::kBase + 64, 200ns},
                                                                {Memory::kBase + 128, 250ns}});
    CHECK(read_cqe(bench.memory.data.data()).token == 0x305);
}

// A queue with the same number that is made meanwhile is another one.
TEST_CASE("cq: an entry that waits for its key to die goes with its queue") {
    CqBench bench;
    bench.at(100ns, [&] {
        bench.engine.complete(kCq, invalidating(false), 200ns, true);
        bench.engine.destroy_cq(kCq);
        bench.engine.create_cq({.cq = kCq, .ring = Memory::kBase, .entries = 4, .limit = 4, .vector = 9});
    });
    bench.run();
    CHECK(bench.cqes() == 0);
}

}  // namespace ndsim::test::invalidation_test
