// SPDX-License-Identifier: Apache-2.0

#include "sim/base/rng.hpp"
#include "tests/models/wqe/rq_bench.hpp"
#include "tests/support/catch.hpp"

namespace ndsim::test::shared_receive_queues_test {

constexpr SrqNum kSrq{0};
constexpr QpNum kOne{kFirstQp + 2};  // these share
constexpr QpNum kOther{kFirstQp + 3};

// Beside the two queue pairs with queues of their own, two that share a ring of 8 entries of one unit.
struct SrqBench : RqBench {
    explicit SrqBench(std::uint32_t limit = 0) {
        rq.create_srq({kSrq, ring, entries, 1, limit});
        for (const QpNum qp : {kOne, kOther}) {
            QpAttributes attributes;
            attributes.qp = qp;
            attributes.receive_cq = kReceiveCq;
            attributes.srq = kSrq;
            rq.create_qp(attributes);
            rq.connect_qp(qp, {});
        }
    }
    void write(std::uint32_t index) {
        write_wqe_header(memory.bytes(ring + index % entries * 64ULL, 64),
                         {WqeOpcode::receive, 0, 0, index, index + 1, 0});
    }
    void post_shared(std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            write(posted++);
        }
        rq.srq_doorbell(kSrq, posted);
    }
    // The index of the receive that a message for `qp` gets.
    std::uint32_t take(QpNum qp) {
        Wqe wqe;
        REQUIRE(rq.take(qp, wqe) == ReceiveTake::taken);
        return wqe.header.index;
    }
    void arm(std::uint32_t limit) { rq.modify_srq({kSrq, posted, {}, 0, limit}); }

    Address ring = Memory::kBase + 2 * 65536ULL;
    std::uint32_t entries = 8;
    std::uint32_t posted = 0;
};

using Events = std::vector<std::pair<SrqNum, Picoseconds>>;

TEST_CASE("srq: receives go in post order to whichever queue pair asks first", "[K196]") {
    SrqBench bench;
    bench.at(0ns, [&] { bench.post_shared(4); });
    bench.at(1us, [&] {
        CHECK(bench.take(kOther) == 0);
        CHECK(bench.take(kOne) == 1);
        CHECK(bench.take(kOne) == 2);
        CHECK(bench.take(kOther) == 3);
        Wqe wqe;
        CHECK(bench.rq.take(kOne, wqe) == ReceiveTake::none_posted);
        CHECK(bench.rq.take(kOther, wqe) == ReceiveTake::none_posted);
    });
    bench.run();
    CHECK(bench.fetched() == std::vector<std::uint32_t>{4});
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("srq: it is fetched ahead as one queue, apart from those of other queue pairs") {
    SrqBench bench;
    bench.at(0ns, [&] {
        bench.post_shared(2);
        bench.post(3);  // to a queue pair of its own
    });
    bench.at(1us, [&] {
        CHECK(bench.take(kOne) == 0);
        Wqe wqe;
        CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::taken);
        CHECK(wqe.header.index == 0);
        CHECK(bench.take(kOther) == 1);
        CHECK(bench.rq.take(kOne, wqe) == ReceiveTake::none_posted);
        CHECK(bench.rq.take(kQp, wqe) == ReceiveTake::taken);
    });
    bench.run();
    CHECK(bench.fetched() == std::vector<std::uint32_t>{2, 3});
}

TEST_CASE("srq: messages that wait for receives under way hear of them in the order in which they asked") {
    SrqBench bench;
    bench.at(0ns, [&] {
        bench.post_shared(2);
        Wqe wqe;
        CHECK(bench.rq.take(kOther, wqe) == ReceiveTake::under_way);
        CHECK(bench.rq.take(kOne, wqe) == ReceiveTake::under_way);
    });
    bench.run();
    using Heard = std::vector<std::pair<QpNum, Picoseconds>>;
    CHECK(bench.ready.seen == Heard{{kOther, 400ns}, {kOne, 400ns}});
    CHECK(statistic(bench.rq, "misses") == 2);
}

TEST_CASE("srq: a failed queue pair leaves the receives to the others, and its message waits no longer", "[K197]") {
    SrqBench bench;
    bench.at(0ns, [&] {
        bench.post_shared(2);
        Wqe wqe;
        CHECK(bench.rq.take(kOne, wqe) == ReceiveTake::under_way);
        CHECK(bench.rq.take(kOther, wqe) == ReceiveTake::under_way);
    });
    bench.at(100ns, [&] { bench.rq.fail_qp(kOne); });
    bench.at(1us, [&] {
        bench.rq.destroy_qp(kOne);
        CHECK(bench.take(kOther) == 0);
        CHECK(bench.take(kOther) == 1);
    });
    bench.run();
    using Heard = std::vector<std::pair<QpNum, Picoseconds>>;
    CHECK(bench.ready.seen == Heard{{kOne, 100ns}, {kOther, 400ns}});  // each once
    CHECK(bench.completions.seen.empty());                             // nothing is flushed
}

TEST_CASE("srq: one event when a receive is taken and fewer than the limit are left, then none",
          "[K192][K194][X59][limit]") {
    SrqBench bench;
    bench.at(0ns, [&] {
        bench.post_shared(5);
        bench.arm(4);
    });
    bench.at(1us, [&] { (void)bench.take(kOne); });    // 4 left: as many as the limit
    bench.at(2us, [&] { (void)bench.take(kOther); });  // 3 left: fewer
    bench.at(3us, [&] { (void)bench.take(kOne); });
    bench.at(4us, [&] { bench.post_shared(3); });  // 5 again
    bench.at(5us, [&] {
        (void)bench.take(kOne);
        (void)bench.take(kOne);  // 3 left, but nobody has armed it
    });
    bench.at(6us, [&] { bench.arm(3); });              // 3 left: not fewer
    bench.at(7us, [&] { (void)bench.take(kOther); });  // 2
    bench.run();
    CHECK(bench.limits.seen == Events{{kSrq, 2us}, {kSrq, 7us}});
    CHECK(statistic(bench.rq, "srq_limits") == 2);
}

TEST_CASE("srq: a limit that is armed while fewer are left makes its event at once", "[K191]") {
    SrqBench bench;
    bench.at(0ns, [&] { bench.post_shared(2); });
    bench.at(1us, [&] { bench.arm(2); });  // as many as that are left
    bench.at(2us, [&] { bench.arm(3); });
    bench.at(3us, [&] { (void)bench.take(kOne); });  // disarmed
    bench.run();
    CHECK(bench.limits.seen == Events{{kSrq, 2us}});
}

TEST_CASE("srq: a limit of 0 leaves the armed one as it is", "[K193]") {
    SrqBench bench;
    bench.at(0ns, [&] {
        bench.post_shared(3);
        bench.arm(3);
        bench.arm(0);
    });
    bench.at(1us, [&] { (void)bench.take(kOne); });
    bench.at(2us, [&] { bench.arm(0); });  // nor does it arm what is disarmed
    bench.at(3us, [&] { (void)bench.take(kOne); });
    bench.run();
    CHECK(bench.limits.seen == Events{{kSrq, 1us}});
}

TEST_CASE("srq: a new one makes no event before it has been filled up to its limit", "[K195]") {
    SrqBench bench(4);
    bench.at(0ns, [&] { bench.post_shared(3); });
    bench.at(1us, [&] { (void)bench.take(kOne); });  // 2 left, but there never were 4
    bench.at(2us, [&] { bench.post_shared(2); });    // now there are
    bench.at(3us, [&] { (void)bench.take(kOne); });
    bench.run();
    CHECK(bench.limits.seen == Events{{kSrq, 3us}});
}

TEST_CASE("srq: what was posted before a command counts, even if its doorbell comes after it", "[K191]") {
    SrqBench bench;
    bench.at(0ns, [&] {
        for (; bench.posted < 4; ++bench.posted) {
            bench.write(bench.posted);
        }
        bench.arm(4);  // tells of the four
    });
    bench.at(500ns, [&] { bench.rq.srq_doorbell(kSrq, 2); });
    bench.at(600ns, [&] { bench.rq.srq_doorbell(kSrq, 4); });
    bench.at(1us, [&] {
        CHECK(bench.limits.seen.empty());
        for (std::uint32_t i = 0; i < 4; ++i) {
            CHECK(bench.take(kOne) == i);
        }
        Wqe wqe;
        CHECK(bench.rq.take(kOne, wqe) == ReceiveTake::none_posted);
    });
    bench.run();
    CHECK(bench.limits.seen == Events{{kSrq, 1us}});
}

TEST_CASE("srq: reading goes on in another ring, in order, whatever is under way") {
    SrqBench bench;
    std::uint32_t next = 0;
    bench.at(0ns, [&] {
        bench.post_shared(5);
        CHECK(bench.dma.reads.size() == 1);
    });
    bench.at(1us, [&] {
        while (next < 4) {
            CHECK(bench.take(kOne) == next++);
        }
        bench.post_shared(7);  // 5 to 11: a read up to the ring's end, at 8, is under way
    });
    bench.at(1100ns, [&] {
        // 16 entries elsewhere hold at their places those that nobody has taken; the old ring goes.
        for (std::uint32_t place = 0; place < 8; ++place) {
            write_wqe_header(bench.memory.bytes(bench.ring + place * 64ULL, 64), {});
        }
        bench.ring = Memory::kBase + 3 * 65536ULL;
        bench.entries = 16;
        for (std::uint32_t i = next; i < bench.posted; ++i) {
            bench.write(i);
        }
        bench.rq.modify_srq({kSrq, bench.posted, bench.ring, 16, 0});
        bench.post_shared(8);  // 12 to 19: over the new ring's end
    });
    for (std::int64_t i = 0; i < 16; ++i) {
        bench.at(10us + i * 1us, [&, i] { CHECK(bench.take(i % 2 == 0 ? kOne : kOther) == next++); });
    }
    bench.run();
    CHECK(next == 20);
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("srq: whatever happens, receives keep their order and the limit its meaning", "[K192][K194][X59]") {
    SrqBench bench;
    Rng rng(1, "srq");
    std::uint32_t taken = 0;
    std::uint32_t limit = 0;
    std::size_t events = 0;
    for (std::int64_t step = 0; step < 4000; ++step) {
        bench.at(step * 300ns, [&, step] {  // a read takes 400 ns
            const std::uint32_t left = bench.posted - taken;
            switch (rng.between(0, 5)) {
                case 0:
                    // In six steps 2.5 are posted and up to 3 taken, so that the queue is low most of the time.
                    bench.post_shared(static_cast<std::uint32_t>(rng.between(0, std::min(5U, bench.entries - left))));
                    break;
                case 1:
                    limit = static_cast<std::uint32_t>(rng.between(1, 6));
                    bench.arm(limit);
                    if (left < limit) {
                        limit = 0;
                        ++events;
                    }
                    break;
                case 2:
                    if (left <= 8) {  // another place and size, with what is left in it
                        bench.ring = Memory::kBase + rng.between(0, 1) * 4096 + (step % 2 == 0 ? 2 : 3) * 65536ULL;
                        bench.entries = rng.between(0, 1) == 0 ? 8 : 32;
                        for (std::uint32_t i = taken; i != bench.posted; ++i) {
                            bench.write(i);
                        }
                        bench.rq.modify_srq({kSrq, bench.posted, bench.ring, bench.entries, 0});
                    }
                    break;
                default:
                    Wqe wqe;
                    const ReceiveTake result = bench.rq.take(rng.between(0, 1) == 0 ? kOne : kOther, wqe);
                    REQUIRE((result == ReceiveTake::none_posted) == (left == 0));
                    if (result == ReceiveTake::taken) {
                        REQUIRE(wqe.header.index == taken++);
                        if (left == limit) {
                            limit = 0;
                            ++events;
                        }
                    }
            }
            REQUIRE(bench.limits.seen.size() == events);
        });
    }
    bench.run();
    CHECK(taken > 1000);
    CHECK(events > 100);
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("srq: a destroyed one is empty and reads nothing") {
    SrqBench bench;
    bench.at(0ns, [&] { bench.post_shared(2); });
    bench.at(100ns, [&] { bench.rq.destroy_srq(kSrq); });  // the read is under way
    bench.run();
    CHECK(bench.limits.seen.empty());
    CHECK(bench.payloads.in_use() == 0);
    check_at_rest(bench.rq);
}

}  // namespace ndsim::test::shared_receive_queues_test
