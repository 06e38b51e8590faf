// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/peer_read_bench.hpp"

namespace ndsim::test::duplicate_read_test {

using Psns = std::vector<std::uint32_t>;

TEST_CASE("responder: a Read that comes again is answered again, whole or in part", "[X11]") {
    PeerReadBench bench;
    bench.at(0ns, [&] { bench.read(100, 512, 2500); });
    bench.at(1us, [&] { bench.read(100, 512, 2500); });
    bench.at(2us, [&] { bench.read(101, 512 + 1024, 2500 - 1024); });
    bench.at(3us, [&] { bench.read(101, 512 + 1024, 100); });
    bench.at(4us, [&] {
        CHECK(bench.psns() == Psns{100, 101, 102, 100, 101, 102, 101, 102, 101});
        CHECK(bench.payload(6) == pattern(1024, (512 + 1024) % 251));
        CHECK(bench.egress.sent[6].packet.opcode == Opcode::read_response_first);
        CHECK(bench.payload(8) == pattern(100, (512 + 1024) % 251));
        CHECK(bench.egress.sent[8].packet.opcode == Opcode::read_response_only);
        CHECK(bench.egress.sent[8].packet.aeth.msn == 1);  // executed once
        bench.leave(9);
    });
    bench.run();
    CHECK(statistic(bench.responder, "duplicates") == 3);
    CHECK(statistic(bench.responder, "messages") == 1);
    CHECK(bench.payloads.in_use() == 0);
}

// A Read that comes again, of [101, ...) of a Read of 2500 bytes at 512 with PSNs 100 to 102.
void is_dropped(std::uint32_t psn, std::uint64_t offset, std::uint32_t length, MrKey key = MrKey{1}) {
    PeerReadBench bench;
    bench.at(0ns, [&] { bench.read(100, 512, 2500); });
    bench.at(1us, [&] { bench.read(psn, offset, length, key); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101, 102});
    CHECK(bench.egress.acks.empty());  // no answer at all
    CHECK(bench.faults.failed.empty());
    CHECK(bench.rx_buffer.total() == 2 * 98_B);
}

TEST_CASE("responder: a repeated Read beyond the end of the first is dropped", "[X11]") {
    is_dropped(101, 512 + 1024, 2500 - 1023);
}

TEST_CASE("responder: a repeated Read at another place than its PSN says is dropped", "[X11]") {
    is_dropped(101, 512, 100);
}

TEST_CASE("responder: a repeated Read with another key is dropped", "[X11]") {
    is_dropped(100, 512, 2500, MrKey{2});
}

TEST_CASE("responder: a repeated Read of a PSN before the first one is dropped", "[X11]") {
    is_dropped(99, 512, 100);
}

TEST_CASE("responder: the last Reads are remembered, as many as may be outstanding", "[X11][limit]") {
    PeerReadBench bench;
    for (std::uint32_t i = 0; i < 5; ++i) {
        bench.at(i * 1us, [&bench, i] { bench.read(100 + i, 0, 8); });
        bench.at(i * 1us + 500ns, [&bench] { bench.leave(1); });
    }
    bench.at(5us, [&] {
        for (std::uint32_t i = 0; i < 5; ++i) {
            bench.read(100 + i, 0, 8);
        }
    });
    bench.run();
    // Four of them; the oldest one is forgotten.
    CHECK(bench.psns() == Psns{100, 101, 102, 103, 104, 101, 102, 103, 104});
    CHECK(bench.faults.failed.empty());
}

TEST_CASE("responder: Reads that come again do not count against the limit", "[X29][X11]") {
    PeerReadBench bench;
    bench.at(0ns, [&] {
        for (std::uint32_t i = 0; i < 4; ++i) {
            bench.read(100 + i, 0, 8);
            bench.read(100 + i, 0, 8);  // the link has repeated it
        }
    });
    bench.at(1us, [&] {
        bench.leave(1);  // the peer has the data of the first Read, and may send another
        bench.read(104, 0, 8);
    });
    bench.at(2us, [&] { bench.leave(8); });
    bench.run();
    CHECK(bench.psns() == Psns{100, 100, 101, 101, 102, 102, 103, 103, 104});
    CHECK(bench.faults.failed.empty());
}

TEST_CASE("responder: an old Read whose key is gone by now is dropped, and harms nobody", "[X11][X41]") {
    PeerReadBench bench;
    bench.at(0ns, [&] { bench.read(100, 0, 2000, MrKey{5}); });
    bench.at(1us, [&] {
        bench.leave(2);
        bench.protection.bad = MrKey{5};     // a SendAndInvalidate behind a fence
        bench.read(100, 0, 2000, MrKey{5});  // the link has held it back
        bench.post({{0, 100}});
        bench.receive(Opcode::send_only, 102, 8);
    });
    bench.run();
    CHECK(bench.psns() == Psns{100, 101});
    CHECK(bench.faults.failed.empty());
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].packet.psn == Psn{102});
}

TEST_CASE("responder: a key that dies in the middle of a repeated Read ends it without a word", "[X11]") {
    PeerReadBench bench;
    bench.at(0ns, [&] { bench.read(100, 0, 2048, MrKey{5}); });
    bench.at(1us, [&] {
        bench.leave(2);
        bench.egress.room = 1110_B;
        bench.read(100, 0, 2048, MrKey{5});
        bench.read(102, 0, 8);
    });
    bench.at(2us, [&] {
        bench.protection.bad = MrKey{5};
        bench.egress.room = 1_MiB;
        bench.reads.tx_room();
    });
    bench.at(3us, [&] {
        CHECK(bench.psns() == Psns{100, 101, 100, 102});
        bench.leave(2);
        bench.post({{0, 100}});
        bench.receive(Opcode::send_only, 103, 8);
    });
    bench.run();
    CHECK(bench.faults.failed.empty());
    REQUIRE(bench.acks.size() == 1);
    CHECK(bench.acks[0].packet.psn == Psn{103});
    CHECK(bench.payloads.in_use() == 0);
}

}  // namespace ndsim::test::duplicate_read_test
