// SPDX-License-Identifier: Apache-2.0

#include "tests/models/cq/cq_bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::resize_test {

constexpr CqNum kCq = CqBench::kCq;
constexpr std::uint64_t kSecondRing = 0x1000;

CqResize to(std::uint32_t entries, std::uint32_t limit, std::uint32_t consumer) {
    return {kCq, Memory::kBase + kSecondRing, entries, limit, consumer};
}

// A queue of limit 3 in a ring of 4, at the beginning of memory; a second ring further on.
struct ResizeBench : CqBench {
    ResizeBench() { engine.create_cq({kCq, Memory::kBase, 4, 3, 9}); }
    void fill(int count) {
        for (; count > 0; --count) {
            complete(WcStatus::success, false, false, next++);
        }
    }
    [[nodiscard]] const std::byte* entry(std::uint64_t ring, std::uint32_t place) const {
        return memory.data.data() + ring + place * 64;
    }
    std::uint32_t next = 100;
};

TEST_CASE("resize: the old ring ends with an entry that says so, the new one begins at its beginning", "[K169]") {
    ResizeBench bench;
    bench.at(0ns, [&] {
        bench.fill(2);
        CHECK(bench.engine.resize_cq(to(8, 7, 0)));
        bench.fill(5);  // 2 and 5 unconsumed: as many as the new limit
    });
    bench.run();
    CHECK(bench.faults.failed.empty());
    // Entries 0 and 1 stay where they are, the third place says that the queue has moved.
    CHECK(read_cqe(bench.entry(0, 0)).wqe_index == 100);
    CHECK(read_cqe(bench.entry(0, 1)).wqe_index == 101);
    CHECK(cqe_moved(bench.entry(0, 2)));
    CHECK(cqe_owner(bench.entry(0, 2)));
    for (std::uint32_t i = 0; i < 5; ++i) {
        INFO(i);
        CHECK(read_cqe(bench.entry(kSecondRing, i)).wqe_index == 102 + i);
        CHECK(cqe_owner(bench.entry(kSecondRing, i)));  // the first turn of this ring
        CHECK_FALSE(cqe_moved(bench.entry(kSecondRing, i)));
    }
    CHECK(statistic(bench.engine, "cqes") == 7);  // the entry that moves is none
    CHECK(statistic(bench.engine, "resizes") == 1);
}

TEST_CASE("resize: a full ring has a place left for the entry that moves", "[K169]") {
    ResizeBench bench;
    bench.at(0ns, [&] {
        bench.fill(3);
        CHECK(bench.engine.resize_cq(to(4, 3, 0)));
    });
    bench.run();
    for (std::uint32_t i = 0; i < 3; ++i) {
        CHECK(read_cqe(bench.entry(0, i)).wqe_index == 100 + i);
    }
    CHECK(cqe_moved(bench.entry(0, 3)));
}

TEST_CASE("resize: below what the queue holds nothing changes", "[K168]") {
    ResizeBench bench;
    bench.at(0ns, [&] {
        bench.fill(3);
        CHECK_FALSE(bench.engine.resize_cq(to(4, 2, 0)));
        bench.engine.consumer_index(kCq, 1);
        bench.fill(1);  // the old limit, the old ring
    });
    bench.run();
    CHECK(bench.faults.failed.empty());
    CHECK(read_cqe(bench.entry(0, 3)).wqe_index == 103);
    CHECK(statistic(bench.engine, "resizes") == 0);
}

TEST_CASE("resize: software's consumer index comes along", "[K168]") {
    ResizeBench bench;
    bench.at(0ns, [&] {
        bench.fill(3);
        CHECK(bench.engine.resize_cq(to(2, 1, 2)));  // two have been polled, one is there
        bench.fill(1);
    });
    bench.run();
    CHECK(bench.faults.failed == std::vector<CqNum>{kCq});  // the new limit is 1
}

TEST_CASE("resize: the arm stays, and so does what counts as new", "[K169]") {
    ResizeBench bench;
    bench.at(0ns, [&] {
        bench.fill(1);
        bench.engine.arm({.cq = kCq, .wish = Arm::solicited, .seen = 1});
        CHECK(bench.engine.resize_cq(to(8, 7, 0)));
        bench.fill(1);
        CHECK(bench.interrupts() == 0);
        bench.complete(WcStatus::success, true);
        CHECK(bench.interrupts() == 1);
    });
    bench.run();
}

TEST_CASE("resize: the new ring goes round by itself, however far the old one was", "[K169]") {
    ResizeBench bench;
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 5; ++i) {  // the old ring is in its second turn
            bench.fill(1);
            bench.engine.consumer_index(kCq, i + 1);
        }
        CHECK(bench.engine.resize_cq(to(2, 1, 5)));
        for (std::uint32_t i = 0; i < 3; ++i) {
            bench.fill(1);
            CHECK(read_cqe(bench.entry(kSecondRing, i % 2)).wqe_index == 105 + i);
            CHECK(cqe_owner(bench.entry(kSecondRing, i % 2)) == (i < 2));
            bench.engine.consumer_index(kCq, 6 + i);
        }
    });
    bench.run();
    CHECK(cqe_moved(bench.entry(0, 1)));
    CHECK_FALSE(cqe_owner(bench.entry(0, 1)));  // the second turn
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("resize: a queue that has overrun has no other ring") {
    ResizeBench bench;
    bench.at(0ns, [&] { bench.fill(4); });
    bench.at(1us, [&] { CHECK_FALSE(bench.engine.resize_cq(to(8, 7, 4))); });
    bench.run();
}

// Four entries for a limit of 3: the fourth is held back, which a limit of 3 would not let in.
TEST_CASE("resize: an entry that is held back counts, and finds its place in the new ring", "[K168][K169]") {
    ResizeBench bench;
    bench.at(0ns, [&] {
        bench.fill(4);
        CHECK_FALSE(bench.engine.resize_cq(to(4, 3, 0)));
        CHECK(bench.engine.resize_cq(to(8, 4, 0)));
        CHECK(read_cqe(bench.entry(kSecondRing, 0)).wqe_index == 103);
    });
    bench.run();
    CHECK(bench.faults.failed.empty());
    CHECK(bench.cqes() == 5);
}

}  // namespace ndsim::test::resize_test
