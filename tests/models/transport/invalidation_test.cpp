// SPDX-License-Identifier: Apache-2.0
#include "tests/models/transport/queue_bench.hpp"
#include "tests/models/transport/responder_bench.hpp"

namespace ndsim::test::invalidation_test {

constexpr MrKey kKey{0x500};

Packet with_key(MrKey key = kKey) {
    Packet packet;
    packet.key = key;
    return packet;
}

TEST_CASE("responder: a SendAndInvalidate touches the key with its last packet only", "[X35][K109][K114][formula]") {
    ResponderBench bench;
    bench.post({{0, 3000}});
    bench.at(0ns, [&] { bench.receive(with_key(), Opcode::send_first, 100, 1024); });
    bench.at(1us, [&] {
        CHECK(bench.keys.invalidated.empty());
        bench.receive(with_key(), Opcode::send_middle, 101, 1024);
    });
    bench.at(2us, [&] {
        CHECK(bench.keys.invalidated.empty());
        bench.receive(with_key(), Opcode::send_last_with_invalidate, 102, 8);
        CHECK(bench.keys.invalidated == std::vector<MrKey>{kKey});
    });
    bench.run();
    REQUIRE(bench.completions.seen.size() == 1);  // one, not two
    const auto& seen = bench.completions.seen[0];
    CHECK(seen.cqe.status == WcStatus::success);
    CHECK(seen.cqe.token == raw(kKey));
    CHECK(seen.cqe.bytes == 2056);
    // The key is dead before its completion can be seen: the table takes 100 ns.
    CHECK(seen.at == 2us + 100ns);
}

TEST_CASE("responder: a SendAndInvalidate that comes again invalidates nothing", "[X36]") {
    ResponderBench bench;
    bench.post({{0, 100}});
    bench.post({{0, 100}});
    bench.at(0ns, [&] { bench.receive(with_key(), Opcode::send_only_with_invalidate, 100, 8); });
    bench.at(1us, [&] { bench.receive(with_key(), Opcode::send_only_with_invalidate, 100, 8); });
    bench.run();
    CHECK(bench.keys.invalidated.size() == 1);
    CHECK(bench.completions.seen.size() == 1);
    REQUIRE(bench.acks.size() == 2);
    CHECK(bench.acks[1].packet.psn == Psn{100});
    CHECK(bench.acks[1].packet.aeth.syndrome == 0x1F);
}

TEST_CASE("responder: a SendAndInvalidate without a receive leaves the key alone", "[X37]") {
    ResponderBench bench;
    bench.at(0ns, [&] { bench.receive(with_key(), Opcode::send_only_with_invalidate, 100, 8); });
    bench.at(1us, [&] {
        CHECK(bench.keys.invalidated.empty());
        CHECK(bench.acks.at(0).packet.aeth.syndrome == (0x20 | 12));
        bench.post({{0, 100}});
        bench.receive(with_key(), Opcode::send_only_with_invalidate, 100, 8);
    });
    bench.run();
    CHECK(bench.keys.invalidated.size() == 1);
    CHECK(bench.completions.seen.size() == 1);
}

TEST_CASE("responder: a SendAndInvalidate that is too long leaves the key alone", "[K115]") {
    ResponderBench bench;
    bench.post({{0, 1024}});
    bench.at(0ns, [&] {
        bench.receive(with_key(), Opcode::send_first, 100, 1024);
        bench.receive(with_key(), Opcode::send_last_with_invalidate, 101, 8);
    });
    bench.run();
    CHECK(bench.keys.invalidated.empty());
    CHECK(bench.completions.seen.at(0).cqe.status == WcStatus::loc_len);
    CHECK(bench.acks.back().packet.aeth.syndrome == 0x61);
}

TEST_CASE("responder: a key that cannot be invalidated gets neither ACK nor NAK", "[X38][K113]") {
    ResponderBench bench;
    bench.post({{0, 100}});
    bench.post({{200, 100}});
    bench.post({{400, 100}});
    bench.at(0ns, [&] { bench.receive(Opcode::send_only, 100, 8); });
    bench.at(1us, [&] { bench.receive(with_key(bench.keys.bad), Opcode::send_only_with_invalidate, 101, 8); });
    bench.at(2us, [&] { bench.receive(with_key(bench.keys.bad), Opcode::send_only_with_invalidate, 101, 8); });
    bench.at(3us, [&] { bench.receive(Opcode::send_only, 102, 8); });
    bench.run();
    for (const auto& ack : bench.acks) {
        CHECK(ack.packet.psn == Psn{100});
        CHECK(ack.packet.aeth.syndrome == 0x1F);
    }
    CHECK(bench.memory_at(200, 8) == pattern(8, 101));  // the data is placed
    REQUIRE(bench.completions.seen.size() == 2);
    CHECK(bench.completions.seen[1].cqe.status == WcStatus::invalidate_error);
    CHECK(bench.faults.failed == std::vector<QpNum>{kQp});
    CHECK(bench.faults.reasons == std::vector<WcStatus>{WcStatus::invalidate_error});
    CHECK(bench.payloads.in_use() == 0);
}

TEST_CASE("requester: the key goes with the last packet of a SendAndInvalidate, also when it is sent again",
          "[X2][X36][K108]") {
    QueueBench bench;
    bench.dma.latency = 0ns;
    bench.at(0ns, [&] {
        Wqe& wqe = bench.wqes.emplace_back();
        wqe.header = {WqeOpcode::send_and_invalidate, kWqeSignaled, 1, 0, 1, raw(kKey)};
        wqe.sges.push_back({Memory::kBase, 1500, MrKey{1}});
        bench.engine.add(kQp, wqe);
    });
    bench.at(1us, [&] { bench.ack(101, Aeth::kNakSequence); });
    bench.at(2us, [&] { bench.ack(101); });
    bench.run();
    REQUIRE(bench.psns() == Psns{100, 101, 101});
    CHECK(bench.egress.sent[0].packet.opcode == Opcode::send_first);
    for (const std::size_t n : {std::size_t{1}, std::size_t{2}}) {
        CHECK(bench.egress.sent[n].packet.opcode == Opcode::send_last_with_invalidate);
        CHECK(bench.egress.sent[n].packet.key == kKey);
        CHECK(wire_bytes(bench.egress.sent[n].packet) == Bytes{86 + 476});
    }
    CHECK(bench.completions.seen.at(0).cqe.opcode == WqeOpcode::send_and_invalidate);
}

// A local operation takes effect 100 ns after its turn.
struct LocalBench : QueueBench {
    explicit LocalBench(bool invalidate_waits = false)
        : QueueBench(no_timeout(), plain_connection(), invalidate_waits) {
        dma.latency = 0ns;
    }
};

TEST_CASE("local operation: takes effect after its time, and what is behind it starts then", "[X46][X55][formula]") {
    LocalBench bench;
    bench.at(1us, [&] {
        bench.post_local(WqeOpcode::bind, kKey);
        bench.post_local(WqeOpcode::fast_register, MrKey{0x600});
        bench.post_send(8);
        CHECK(bench.engine.stall() == Stall::local_operation);
    });
    bench.at(1100ns - 1_ps, [&] { CHECK(bench.keys.done.empty()); });
    bench.at(1100ns + 1_ps, [&] { CHECK(bench.keys.done == std::vector<MrKey>{kKey}); });
    bench.at(1200ns + 1_ps, [&] { CHECK(bench.keys.done.size() == 2); });
    bench.at(2us, [&] { bench.ack(100); });
    bench.run();
    CHECK(bench.left().at(0).at == 1200ns);
    REQUIRE(bench.completions.seen.size() == 3);
    CHECK(bench.completions.seen[0].told == 1100ns);
    CHECK(bench.completions.seen[0].cqe.opcode == WqeOpcode::bind);
    CHECK(bench.completions.seen[1].told == 1200ns);
    CHECK(bench.completions.seen[2].told == 2us);
    check_at_rest(bench.completer);
}

TEST_CASE("local operation: does not wait for acknowledgements, but completes behind what is before it", "[X55]") {
    LocalBench bench;
    bench.at(0ns, [&] {
        bench.post_send(8);
        bench.post_local(WqeOpcode::bind, kKey);
        bench.post_send(8);
    });
    bench.at(1us, [&] {
        CHECK(bench.keys.done.size() == 1);
        CHECK(bench.psns() == Psns{100, 101});
        CHECK(bench.completions.seen.empty());
        bench.ack(100);
        CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}});
        bench.ack(101);
    });
    bench.run();
    CHECK(bench.completions.seen.size() == 3);
}

TEST_CASE("local operation: one that fails fails the queue pair behind what is before it", "[X31]") {
    LocalBench bench;
    bench.at(0ns, [&] {
        bench.post_send(8);
        bench.post_local(WqeOpcode::invalidate, bench.keys.bad);
        bench.post_send(8);
    });
    bench.at(1us, [&] {
        CHECK(bench.faults.failed.empty());
        bench.ack(100);
    });
    bench.run();
    CHECK(bench.completed() ==
          Statuses{{1, WcStatus::success}, {2, WcStatus::invalidate_error}, {3, WcStatus::wr_flush}});
}

TEST_CASE("local operation: an Invalidate waits for nothing where documents say nothing of it", "[K64][X52]") {
    LocalBench bench(false);
    bench.at(0ns, [&] {
        bench.post_read(2000, kWqeSignaled, kQp, kKey);
        bench.post_local(WqeOpcode::invalidate, kKey);
    });
    bench.at(1us, [&] {
        CHECK(bench.keys.done == std::vector<MrKey>{kKey});
        bench.protection.bad = kKey;
        bench.respond(Opcode::read_response_first, 100, 1024);
    });
    bench.run();
    CHECK(bench.dma.writes.empty());
    CHECK(bench.completed() == Statuses{{1, WcStatus::loc_prot}, {2, WcStatus::wr_flush}});
}

TEST_CASE("local operation: with a fence the Read and the Invalidate both succeed", "[K64]") {
    LocalBench bench(false);
    bench.at(0ns, [&] {
        bench.post_read(80, kWqeSignaled, kQp, kKey);
        bench.post_local(WqeOpcode::invalidate, kKey, kWqeSignaled | kWqeReadFence);
    });
    bench.at(1us, [&] {
        CHECK(bench.keys.done.empty());
        bench.respond(Opcode::read_response_only, 100, 80);
    });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::success}, {2, WcStatus::success}});
    // The data is visible 200 ns after the response, then the table takes 100 ns.
    CHECK(bench.completions.seen.at(1).told == 1300ns);
}

TEST_CASE("local operation: on InfiniBand an Invalidate waits until all before it is complete", "[X52]") {
    LocalBench bench(true);
    bench.at(0ns, [&] {
        bench.post_send(8);
        bench.post_read(8);
        bench.post_send(8);
        bench.post_local(WqeOpcode::invalidate, kKey);
        bench.post_send(8);
    });
    bench.at(1us, [&] { bench.ack(100); });
    bench.at(2us, [&] { bench.respond(Opcode::read_response_only, 101, 8); });
    bench.at(3us, [&] {
        CHECK(bench.keys.done.empty());
        CHECK(bench.psns() == Psns{100, 101, 102});
        bench.ack(102);
    });
    bench.at(3100ns + 1_ps, [&] {
        CHECK(bench.keys.done == std::vector<MrKey>{kKey});
        CHECK(bench.left().size() == 4);
    });
    bench.run();
    CHECK(bench.completions.seen.at(3).told == 3100ns);
}

TEST_CASE("local operation: a Bind waits for nothing, on InfiniBand neither", "[X52]") {
    LocalBench bench(true);
    bench.at(0ns, [&] {
        bench.post_send(8);
        bench.post_local(WqeOpcode::bind, kKey);
    });
    bench.at(1us, [&] { CHECK(bench.keys.done.size() == 1); });
    bench.run();
}

TEST_CASE("local operation: one under way when the queue pair fails takes effect, and is flushed once", "[X32]") {
    LocalBench bench;
    bench.at(0ns, [&] {
        bench.post_send(8);
        bench.post_local(WqeOpcode::bind, kKey);
        bench.post_send(8);
    });
    bench.at(50ns, [&] { bench.ack(100, Aeth::kNakRemoteOperational); });
    bench.run();
    CHECK(bench.completed() == Statuses{{1, WcStatus::rem_op}, {2, WcStatus::wr_flush}, {3, WcStatus::wr_flush}});
    check_at_rest(bench.locals);
    check_at_rest(bench.completer);
}

}  // namespace ndsim::test::invalidation_test
