// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include "models/transport/responder.hpp"
#include "tests/models/transport/unpaced_reads.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test {

// Receive queues that the test fills.
struct Receives final : ReceiveQueuePort {
    ReceiveTake take(QpNum, Wqe& into) override {
        if (under_way) {
            return ReceiveTake::under_way;
        }
        if (queue.empty()) {
            return ReceiveTake::none_posted;
        }
        into = queue.front();
        queue.pop_front();
        return ReceiveTake::taken;
    }
    [[nodiscard]] std::uint32_t posted(QpNum) const override { return static_cast<std::uint32_t>(queue.size()); }
    std::deque<Wqe> queue;
    bool under_way = false;
};

// A responder between doubles: expects PSN 100, RNR timer code 12, packet build 35 ns. Acknowledgements are made when
// they are due.
struct ResponderBench : Bench {
    static constexpr Picoseconds kPipe = std::chrono::nanoseconds{35};

    explicit ResponderBench(const TransportParams& params = {}, const TransportParams& of_reads = unpaced_reads())
        : reads("reads", timeline, of_reads, kPipe, {}, ledgers, payloads),
          responder("responder", timeline, params, kPipe, 12, kHost, ledgers, payloads, reads) {
        reads.dma.bind(dma);
        reads.egress.bind(egress);
        reads.protection.bind(protection);
        responder.dma.bind(dma);
        responder.egress.bind(egress);
        responder.rx_buffer.bind(rx_buffer);
        responder.receives.bind(receives);
        responder.completions.bind(completions);
        responder.protection.bind(protection);
        responder.faults.bind(faults);
        responder.keys.bind(keys);
        faults.units = {&responder};
        QpAttributes attributes;
        attributes.qp = kQp;
        attributes.pd = kPd;
        attributes.receive_cq = kReceiveCq;
        QpConnection connection;
        connection.peer = QpNum{0x99};
        connection.peer_host = HostId{5};
        connection.mtu = 1024;
        connection.expected_psn = Psn{100};
        connection.inbound_reads = 4;
        responder.create_qp(attributes);
        responder.connect_qp(kQp, connection);
        egress.on_ack = [this](QpNum qp, Picoseconds ready) {
            at(ready, [this, qp] {
                if (const auto ack = responder.acks->make_ack(qp)) {
                    acks.push_back({*ack, now()});
                }
            });
        };
    }

    struct Part {
        std::uint64_t offset = 0;
        std::uint32_t length = 0;
        MrKey key{1};
    };
    void post(std::initializer_list<Part> parts, std::uint32_t request = 0) {
        Wqe wqe;
        wqe.header = {WqeOpcode::receive, 0, static_cast<std::uint16_t>(parts.size()), ++posted, request, 0};
        for (const Part& part : parts) {
            wqe.sges.push_back({Memory::kBase + part.offset, part.length, part.key});
        }
        receives.queue.push_back(wqe);
    }
    // A packet whose first grain is there now and whose last byte comes after `duration`.
    void receive(Opcode opcode, std::uint32_t psn, std::uint32_t length, Picoseconds duration = {},
                 bool ack_request = false, bool solicited = false) {
        receive(Packet{}, opcode, psn, length, duration, ack_request, solicited);
    }
    // The first packet of a write of `total` bytes to `offset` in memory.
    void receive_write(Opcode opcode, std::uint32_t psn, std::uint32_t length, std::uint64_t offset,
                       std::uint32_t total, MrKey key = MrKey{1}) {
        Packet packet;
        packet.remote = Memory::kBase + offset;
        packet.dma_length = total;
        packet.key = key;
        receive(packet, opcode, psn, length);
    }
    void receive(Packet packet, Opcode opcode, std::uint32_t psn, std::uint32_t length, Picoseconds duration = {},
                 bool ack_request = false, bool solicited = false) {
        packet.opcode = opcode;
        packet.psn = Psn{psn};
        packet.destination = kQp;
        packet.ack_request = ack_request || info(opcode).last;
        packet.solicited = solicited;
        packet.payload_bytes = length;
        packet.request = {HostId{1}, 1};
        if (length > 0) {
            packet.payload = payloads.take();
            const auto bytes = pattern(length, psn);
            std::memcpy(payloads.data(packet.payload), bytes.data(), length);
        }
        responder.receive(packet, {now(), now() + duration});
    }
    [[nodiscard]] std::vector<std::byte> memory_at(std::uint64_t offset, std::size_t length) {
        return {memory.data.begin() + static_cast<std::ptrdiff_t>(offset),
                memory.data.begin() + static_cast<std::ptrdiff_t>(offset + length)};
    }

    Memory memory{1U << 16U};
    Dma dma{*this, memory};
    Egresses egress{timeline};
    RxBuffer rx_buffer;
    Receives receives;
    Completions completions{timeline};
    Protection protection;
    Faults faults;
    Keys keys;
    ReadResponder reads;
    Responder responder;
    std::vector<BuiltAck> acks;
    std::uint32_t posted = 0;
};

}  // namespace ndsim::test
