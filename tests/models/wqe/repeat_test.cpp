// SPDX-License-Identifier: Apache-2.0
#include "tests/models/wqe/wqe_bench.hpp"

namespace ndsim::test::repeat_test {

using Numbers = std::vector<std::uint32_t>;

// Goes back to the second message, with one packet kept of the first, while the requester has no room.
void rewind_while_blocked(WqeBench& bench) {
    bench.messages.blocked[kQp] = Stall::tx_fifo;
    bench.messages.kept[kQp] = 1;
    bench.engine.rewind(kQp, 1);
}

// A WQE is read in 400 ns. Packets that the requester has kept belong to request 0 here.

TEST_CASE("repeat: what was kept is sent again without its WQE, and nothing is fetched for it") {
    WqeBench bench;
    bench.at(0ns, [&] { bench.post(kQp, 1, 2); });  // two packets, at 400 ns
    bench.at(1us, [&] {
        bench.messages.kept[kQp] = 2;
        bench.engine.rewind(kQp, bench.producer[kQp]);
    });
    bench.run();
    CHECK(requests_of(bench.messages.packets) == Numbers{1, 1, 0, 0});
    CHECK(bench.messages.packets[3].at == 1us);
    CHECK(bench.dma.reads.size() == 1);
    bench.check_done();
}

TEST_CASE("repeat: what is not kept is fetched again and comes behind it") {
    WqeBench bench;
    bench.at(0ns, [&] { bench.post(kQp, 2); });
    bench.at(1us, [&] {
        bench.messages.kept[kQp] = 2;
        bench.engine.rewind(kQp, 1);  // from the second message on
    });
    bench.run();
    CHECK(requests_of(bench.messages.packets) == Numbers{1, 2, 0, 0, 2});
    CHECK(bench.messages.packets[3].at == 1us);
    CHECK(bench.messages.packets[4].at == 1400ns);
    bench.check_done();
}

// The second message waits at a fence from 900 ns on. At 1 us it is fetched again, in 400 ns.
TEST_CASE("repeat: a message that has not begun keeps the reason of its wait when it is fetched again") {
    WqeBench bench;
    LedgerBook& book = bench.ledgers.of(kHost);
    book.open(0ns);
    book.open(0ns);
    bench.at(0ns, [&] { bench.post(kQp, 1); });
    bench.at(500ns, [&] {
        bench.messages.held = {{kQp, Stall::fence}};
        bench.post(kQp, 1);  // fetched until 900 ns
    });
    bench.at(1us, [&] { bench.engine.rewind(kQp, 1); });
    bench.at(1500ns, [&] {
        bench.messages.held.clear();
        bench.engine.resume_qp(kQp);
    });
    bench.run();
    const Ledger& second = *book.find(2);
    CHECK(second.accounts[static_cast<std::size_t>(Account::fence)] == 100ns + 100ns);  // 900 to 1000, 1400 to 1500
    CHECK(second.accounts[static_cast<std::size_t>(Account::wqe_fetch)] == 400ns + 400ns);
    bench.check_done();
}

TEST_CASE("repeat: a message under way goes on with the WQE that is here") {
    WqeBench bench;
    bench.messages.blocked[kQp] = Stall::psn_window;
    bench.at(0ns, [&] { bench.post(kQp, 1, 2); });
    bench.at(1us, [&] {
        bench.messages.blocked.clear();
        bench.messages.kept[kQp] = 1;
        bench.engine.rewind(kQp, 0);
    });
    bench.run();
    CHECK(requests_of(bench.messages.packets) == Numbers{0, 1, 1});
    CHECK(bench.messages.packets[2].at == 1us);
    CHECK(bench.dma.reads.size() == 1);
    bench.check_done();
}

TEST_CASE("repeat: queue pairs still take turns packet by packet") {
    WqeBench bench;
    bench.at(0ns, [&] {
        bench.post(kQp, 1, 1);
        bench.post(kQp2, 1, 1);
    });
    bench.at(1us, [&] {
        bench.messages.blocked[kQp] = bench.messages.blocked[kQp2] = Stall::tx_fifo;
        bench.messages.kept[kQp] = bench.messages.kept[kQp2] = 2;
        bench.engine.rewind(kQp, bench.producer[kQp]);
        bench.engine.rewind(kQp2, bench.producer[kQp2]);
    });
    bench.at(2us, [&] {
        CHECK(bench.messages.packets.size() == 2);
        bench.messages.blocked.clear();
        bench.engine.tx_room();
    });
    bench.run();
    REQUIRE(bench.messages.packets.size() == 6);
    const QpNum turns[] = {kQp, kQp2, kQp, kQp2};
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(bench.messages.packets[2 + i].qp == turns[i]);
        CHECK(bench.messages.packets[2 + i].at == 2us);
    }
    bench.check_done();
}

TEST_CASE("repeat: a queue pair that waits for its peer lets others go on, and resumes") {
    WqeBench bench;
    bench.at(0ns, [&] { bench.post(kQp, 1); });
    bench.at(1us, [&] {
        bench.messages.blocked[kQp] = Stall::rnr;
        bench.messages.kept[kQp] = 1;
        bench.engine.rewind(kQp, bench.producer[kQp]);
        bench.post(kQp2, 1);
    });
    bench.at(2us, [&] {
        CHECK(bench.messages.packets.back().qp == kQp2);
        bench.messages.blocked.clear();
        bench.engine.resume_qp(kQp);
    });
    bench.run();
    CHECK(bench.messages.packets.back().qp == kQp);
    CHECK(bench.messages.packets.back().at == 2us);
    CHECK(bench.messages.packets.size() == 3);
    bench.check_done();
}

TEST_CASE("repeat: neither a message rate nor a missing slot holds up what was kept") {
    WqeParams params = WqeBench::fast();
    params.per_qp_rate = Frequency{100'000};  // 10 us
    params.sq_in_flight = 1;
    WqeBench bench(params);
    bench.at(0ns, [&] {
        bench.post(kQp, 1);
        bench.ring_doorbell(kQp);
    });
    bench.at(500ns, [&] { bench.post(kQp, 1); });  // its message waits for the rate
    bench.at(1us, [&] {
        bench.messages.build_time.reset();  // keeps its slot
        bench.post(kQp2, 1);
    });
    bench.at(2us, [&] {
        bench.messages.kept[kQp] = 1;
        bench.engine.rewind(kQp, 1);
    });
    bench.at(20us, [&] { bench.engine.message_built(bench.now()); });
    bench.at(21us, [&] { bench.engine.message_built(bench.now()); });
    bench.run();
    REQUIRE(bench.messages.packets.size() == 4);
    CHECK(bench.messages.packets[2].qp == kQp);
    CHECK(bench.messages.packets[2].request == 0);
    CHECK(bench.messages.packets[2].at == 2us);
    CHECK(bench.messages.packets[3].at == 20us);
    bench.check_done();
}

TEST_CASE("repeat: with everything acknowledged meanwhile the next message starts") {
    WqeBench bench;
    bench.at(0ns, [&] { bench.post(kQp, 1); });
    bench.at(1us, [&] {
        rewind_while_blocked(bench);
        bench.post(kQp, 1);
    });
    bench.at(2us, [&] {
        bench.messages.blocked.clear();
        bench.messages.kept[kQp] = 0;
        bench.engine.tx_room();
    });
    bench.run();
    CHECK(requests_of(bench.messages.packets) == Numbers{1, 2});
    CHECK(bench.messages.packets[1].at == 2us);
    bench.check_done();
}

TEST_CASE("repeat: a queue pair that fails sends nothing again") {
    WqeBench bench;
    bench.at(0ns, [&] { bench.post(kQp, 1); });
    bench.at(1us, [&] {
        rewind_while_blocked(bench);
        bench.engine.fail_qp(kQp);
        bench.messages.blocked.clear();
    });
    bench.at(2us, [&] { bench.engine.tx_room(); });
    bench.run();
    CHECK(requests_of(bench.messages.packets) == Numbers{1});
    bench.check_done();
}

}  // namespace ndsim::test::repeat_test
