// SPDX-License-Identifier: Apache-2.0
#include "models/transport/send_gate.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test::send_gate_test {

// A gate whose read buffer has 8192 bytes, so that a Read takes 4096 at most. Nothing is simulated.
struct GateBench : Bench {
    explicit GateBench(bool credits = false, bool invalidate_waits = false)
        : reads("reads", timeline, Bytes{8192}, kHost, ledgers, payloads), gate("gate", timeline, reads) {
        reads.dma.bind(dma);
        reads.rx_buffer.bind(rx_buffer);
        reads.protection.bind(protection);
        gate.work.bind(work);
        QpAttributes attributes;
        attributes.qp = kQp;
        attributes.invalidate_waits = invalidate_waits;
        gate.create(attributes);
        QpConnection connection;
        connection.outbound_reads = 2;
        connection.credits = credits;
        gate.connect(kQp, connection);
    }
    Wqe wqe(WqeOpcode opcode, std::uint32_t length = 8, unsigned flags = 0) {
        Wqe result;
        result.header = {opcode, static_cast<std::uint8_t>(flags), 1, next, next, 0};
        result.sges.push_back({Memory::kBase, length, MrKey{1}});
        return result;
    }
    Stall next_is(WqeOpcode opcode, std::uint32_t length = 8, unsigned flags = 0) {
        return gate.may_begin(kQp, wqe(opcode, length, flags));
    }
    Stall fenced() { return next_is(WqeOpcode::send, 8, kWqeReadFence); }
    Wqe begin(WqeOpcode opcode, std::uint32_t length = 8) {
        Wqe result = wqe(opcode, length);
        gate.begun(kQp, result.header);
        if (opcode == WqeOpcode::read) {
            (void)reads.open(kQp, kPd, 1024, result);
            gate.read_begun(kQp);
        }
        ++next;
        return result;
    }

    Memory memory{1U << 16U};
    Dma dma{*this, memory};
    RxBuffer rx_buffer;
    Protection protection;
    test::Work work{timeline};
    ReadResponses reads;
    SendGate gate;
    std::uint32_t next = 1;
};

TEST_CASE("send gate: a fenced request waits until the data of earlier Reads is visible, another one does not",
          "[X48]") {
    GateBench bench;
    CHECK(bench.fenced() == Stall::none);
    bench.begin(WqeOpcode::read);
    CHECK(bench.fenced() == Stall::fence);
    CHECK(bench.next_is(WqeOpcode::send) == Stall::none);
    bench.gate.read_placed(kQp, bench.now());  // it has all come, and is on its way
    CHECK(bench.fenced() == Stall::fence);
}

TEST_CASE("send gate: a Read that has failed holds up no fenced request") {
    GateBench bench;
    bench.begin(WqeOpcode::read);
    bench.gate.read_failed(kQp);
    CHECK(bench.fenced() == Stall::none);
}

TEST_CASE("send gate: an Invalidate waits for everything before it, if that was asked for", "[X52]") {
    GateBench bench(false, true);
    CHECK(bench.next_is(WqeOpcode::invalidate) == Stall::none);
    bench.begin(WqeOpcode::send);
    CHECK(bench.next_is(WqeOpcode::invalidate) == Stall::fence);
    CHECK(bench.next_is(WqeOpcode::send) == Stall::none);
    bench.gate.ended(kQp);
    CHECK(bench.next_is(WqeOpcode::invalidate) == Stall::none);
}

TEST_CASE("send gate: otherwise an Invalidate waits for nothing") {
    GateBench bench;
    bench.begin(WqeOpcode::send);
    CHECK(bench.next_is(WqeOpcode::invalidate) == Stall::none);
}

TEST_CASE("send gate: no more Reads are outstanding than were agreed on", "[X29][limit]") {
    GateBench bench;
    bench.begin(WqeOpcode::read);
    CHECK(bench.next_is(WqeOpcode::read) == Stall::none);
    bench.begin(WqeOpcode::read);  // the second of two
    CHECK(bench.next_is(WqeOpcode::read) == Stall::read_limit);
    CHECK(bench.next_is(WqeOpcode::write) == Stall::none);
    bench.gate.read_placed(kQp, bench.now());  // all data of the first has come
    CHECK(bench.next_is(WqeOpcode::read) == Stall::none);
}

TEST_CASE("send gate: a Read waits for room for what it brings", "[limit]") {
    GateBench bench;
    bench.begin(WqeOpcode::read, 4097);  // takes half of the buffer, 4096
    CHECK(bench.next_is(WqeOpcode::read, 4096) == Stall::none);
    (void)bench.reads.open(kQp, kPd, 1024, bench.wqe(WqeOpcode::read, 1));  // another queue pair's, say: 4095 are left
    CHECK(bench.next_is(WqeOpcode::read, 4095) == Stall::none);
    CHECK(bench.next_is(WqeOpcode::read, 4096) == Stall::read_buffer);
    CHECK(bench.next_is(WqeOpcode::send, 4096) == Stall::none);
}

TEST_CASE("send gate: one message beyond the peer's receives may go, and no more", "[X18][limit]") {
    GateBench bench(true);
    CHECK(bench.next_is(WqeOpcode::send) == Stall::none);  // limit 0: message 1 is the probe
    bench.begin(WqeOpcode::send);
    CHECK(bench.next_is(WqeOpcode::send) == Stall::credits);
    CHECK(bench.next_is(WqeOpcode::write) == Stall::none);  // takes no receive
    bench.gate.take_credits(kQp, {2, 1});                   // code 2: two receives behind message 1, limit 3
    for (int message = 2; message <= 4; ++message) {        // 4 is the probe
        CHECK(bench.next_is(WqeOpcode::send) == Stall::none);
        bench.begin(WqeOpcode::send);
    }
    CHECK(bench.next_is(WqeOpcode::send_and_invalidate) == Stall::credits);
    bench.gate.take_credits(kQp, {1, 1});  // limit 2, an old one
    CHECK(bench.next_is(WqeOpcode::send) == Stall::credits);
    bench.gate.raise_limit(kQp, 4);  // a Read's response tells of message 4
    CHECK(bench.next_is(WqeOpcode::send) == Stall::none);
}

TEST_CASE("send gate: code 31 ends the limit for good", "[X18]") {
    GateBench bench(true);
    bench.begin(WqeOpcode::send);
    CHECK(bench.next_is(WqeOpcode::send) == Stall::credits);
    bench.gate.take_credits(kQp, {31, 0});
    CHECK(bench.next_is(WqeOpcode::send) == Stall::none);
}

TEST_CASE("send gate: a local operation holds up what follows until it has taken effect") {
    GateBench bench;
    bench.begin(WqeOpcode::bind);
    CHECK(bench.next_is(WqeOpcode::send) == Stall::local_operation);
    bench.gate.local_done(kQp);
    CHECK(bench.next_is(WqeOpcode::send) == Stall::none);
}

TEST_CASE("send gate: behind a request that has failed nothing new begins, and what has begun may go on") {
    GateBench bench;
    const Wqe begun = bench.begin(WqeOpcode::send);
    bench.gate.close(kQp);
    CHECK(bench.next_is(WqeOpcode::send) == Stall::local_operation);
    CHECK(bench.gate.may_begin(kQp, begun) == Stall::none);
}

TEST_CASE("send gate: while the peer wants a pause nothing begins, nor goes on", "[X21]") {
    GateBench bench;
    const Wqe begun = bench.begin(WqeOpcode::send);
    bench.gate.wait_for_peer(kQp, true);
    CHECK(bench.gate.may_begin(kQp, begun) == Stall::rnr);
    CHECK(bench.next_is(WqeOpcode::send) == Stall::rnr);
    bench.gate.wait_for_peer(kQp, false);
    CHECK(bench.next_is(WqeOpcode::send) == Stall::none);
}

}  // namespace ndsim::test::send_gate_test
