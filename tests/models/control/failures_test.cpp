// SPDX-License-Identifier: Apache-2.0
#include "tests/models/control/control_bench.hpp"

// Queue pairs that fail: who is told when, and when nothing of them is under way any more.
namespace ndsim::test::failures_test {

// The double of DMA has a write visible 200 ns after it is ready; an event takes 3 us.
TEST_CASE("control: quiescing a queue pair that is quiet is answered behind a write to host memory",
          "[K151][formula]") {
    ControlBench bench;
    std::vector<std::size_t> writes_before;
    bench.others.on_gathered = [&] { writes_before.push_back(bench.dma.writes.size()); };
    bench.at(100ns, [&] {
        bench.control.quiesce(100ns, QpNum{kFirstQp}, Address{0x1000}, [&] { bench.answered.push_back(bench.now()); });
    });
    bench.run();
    // Effect after half of 2 us, at 1100 ns; visible 200 ns later; event 3 us.
    CHECK(bench.answered == std::vector<Picoseconds>{1100ns + 200ns + 3us});
    CHECK(writes_before == std::vector<std::size_t>{0});  // entries that wait for more are written before
    REQUIRE(bench.dma.writes.size() == 1);
    CHECK(bench.dma.writes[0].train.to == Address{0x1000});
    CHECK_FALSE(bench.dma.writes[0].train.express);  // so that it passes nothing
}

// Completions are held back until 1500 ns: it looks at 1 and at 2 us.
TEST_CASE("control: quiescing waits for completions that are held back", "[K155]") {
    ControlBench bench;
    bench.others.holding = true;
    bench.at(0ns, [&] {
        bench.control.quiesce(0ns, QpNum{kFirstQp}, Address{0x1000}, [&] { bench.answered.push_back(bench.now()); });
    });
    bench.at(1500ns, [&] { bench.others.holding = false; });
    bench.run();
    CHECK(bench.answered == std::vector<Picoseconds>{2us + 200ns + 3us});
}

TEST_CASE("control: quiescing waits until every unit has nothing left, and holds up no other command",
          "[K151][formula]") {
    ControlBench bench;
    bench.others.quiet_from = 3500ns;
    bench.at(0ns, [&] {
        bench.control.quiesce(0ns, QpNum{kFirstQp}, Address{0x1000}, [&] { bench.answered.push_back(bench.now()); });
    });
    bench.submit(0ns, DestroyCq{CqNum{4}});
    bench.run();
    // It looks at 1, 2, 3 and 4 us, the first time at which all is quiet. The other command begins at 2 us, behind it.
    CHECK(bench.answered == std::vector<Picoseconds>{4us, 4us + 200ns + 3us});
    CHECK(bench.others.seen == Story{{"destroy_cq", 4, 3us}});
}

TEST_CASE("control: software hears of a failure when the peer has been told why", "[X25][X26]") {
    ControlBench bench;
    bench.submit(0ns, qp(0));
    bench.others.told_from = 14200ns;
    bench.at(10us, [&] { bench.control.qp_failed(QpNum{kFirstQp}, WcStatus::rem_op); });
    bench.run();
    // 3 us of the event, and then looks at 13 us, 14 us and 15 us, every half of a command's latency.
    CHECK(bench.others.seen.back() == Others::Seen{"qp_error", kFirstQp, 15us});
}

TEST_CASE("control: a failed queue pair is failed everywhere at once, and software hears of it once") {
    ControlBench bench;
    bench.submit(0ns, qp(0, CqNum{7}));
    bench.at(10us, [&] {
        bench.control.qp_failed(QpNum{kFirstQp}, WcStatus::rem_op);
        bench.control.qp_failed(QpNum{kFirstQp}, WcStatus::rem_op);
    });
    bench.run();
    const Story story(bench.others.seen.begin() + 1, bench.others.seen.end());
    CHECK(story == Story{{"fail_qp", kFirstQp, 10us}, {"qp_error", kFirstQp, 13us}});
}

TEST_CASE("control: a completion queue that overran takes its queue pairs with it", "[X58]") {
    ControlBench bench;
    bench.submit(0ns, qp(0, CqNum{7}));
    bench.submit(0ns, qp(1, CqNum{8}));
    bench.at(10us, [&] { bench.control.cq_failed(CqNum{7}); });
    bench.run();
    const Story story(bench.others.seen.begin() + 2, bench.others.seen.end());
    CHECK(story == Story{{"fail_qp", kFirstQp, 10us}, {"cq_error", 7, 13us}, {"qp_error", kFirstQp, 13us}});
}

}  // namespace ndsim::test::failures_test
