// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <list>

#include "models/transport/requester.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test {

// Requester and completer between doubles; MTU 1024, first PSN 100, packet build 35 ns.
struct RequesterBench : Bench {
    static constexpr Picoseconds kPipe = std::chrono::nanoseconds{35};

    explicit RequesterBench(const TransportParams& params = {}, Psn first_psn = Psn{100})
        : reads("reads", timeline, params.read_buffer, kHost, ledgers, payloads),
          locals("locals", timeline, params.key_update),
          retransmit_buffer("retransmit_buffer", timeline, params.retransmit_buffer, payloads),
          windows(params.psn_window),
          gate("gate", timeline, reads),
          completer("completer", timeline, params, kHost, ledgers, windows, gate, reads, locals, retransmit_buffer),
          requester("requester", timeline, params, kPipe, {}, kHost, ledgers, payloads, completer, windows, gate, reads,
                    locals, retransmit_buffer) {
        gate.work.bind(work);
        locals.keys.bind(keys);
        completer.keys.bind(keys);
        reads.dma.bind(dma);
        reads.rx_buffer.bind(rx_buffer);
        reads.protection.bind(protection);
        completer.completions.bind(completions);
        completer.work.bind(work);
        completer.faults.bind(faults);
        requester.dma.bind(dma);
        requester.egress.bind(egress);
        egress.requests = &requester;
        requester.protection.bind(protection);
        requester.work.bind(work);
        faults.units = {&completer, &requester};
        QpConnection connection;
        connection.peer = QpNum{0x99};
        connection.peer_host = HostId{5};
        connection.mtu = 1024;
        connection.first_psn = first_psn;
        connection.outbound_reads = 4;
        connect(attributes_of(kQp), connection);
        const auto bytes = pattern(memory.data.size());
        memory.data = bytes;
    }

    static QpAttributes attributes_of(QpNum qp) {
        QpAttributes attributes;
        attributes.qp = qp;
        attributes.pd = kPd;
        attributes.send_cq = kSendCq;
        return attributes;
    }
    // A new queue pair, in all units.
    void connect(const QpAttributes& attributes, const QpConnection& connection) {
        for (QpLifecycle* const unit : faults.units) {
            unit->create_qp(attributes);
            unit->connect_qp(attributes.qp, connection);
        }
    }

    struct Part {
        std::uint64_t offset = 0;
        std::uint32_t length = 0;
        MrKey key{1};
    };
    // A message of these parts; its request number is its running number, from 1.
    const Wqe& message(std::initializer_list<Part> parts, unsigned flags = kWqeSignaled) {
        Wqe& wqe = wqes.emplace_back();
        wqe.header = {WqeOpcode::send,
                      static_cast<std::uint8_t>(flags),
                      static_cast<std::uint16_t>(parts.size()),
                      static_cast<std::uint32_t>(wqes.size() + 500),
                      static_cast<std::uint32_t>(wqes.size()),
                      0};
        for (const Part& part : parts) {
            wqe.sges.push_back({Memory::kBase + part.offset, part.length, part.key});
        }
        return wqe;
    }
    // A write of `length` bytes to the peer's `remote`.
    const Wqe& write(std::uint32_t length, const RemoteRange& remote) {
        (void)message({{0, length}});
        wqes.back().header.opcode = WqeOpcode::write;
        wqes.back().remote = remote;
        return wqes.back();
    }
    const Wqe& inline_message(std::uint16_t length, std::uint32_t seed) {
        Wqe& wqe = wqes.emplace_back();
        wqe.header = {WqeOpcode::send,
                      kWqeSignaled | kWqeInline,
                      length,
                      static_cast<std::uint32_t>(wqes.size() + 500),
                      static_cast<std::uint32_t>(wqes.size()),
                      0};
        wqe.inline_data = pattern(length, seed);
        return wqe;
    }
    // As the engine does: a message that sends no packet is built when begin() says so.
    void begin(const Wqe& wqe, QpNum qp = kQp) {
        if (const auto built = requester.begin(qp, wqe)) {
            work.message_built(*built);
        }
    }
    // Begins the message and issues packets until it is done or blocked.
    RequesterPort::Result send(const Wqe& wqe) {
        begin(wqe);
        return go_on();
    }
    RequesterPort::Result go_on() {
        RequesterPort::Result result;
        do {
            result = requester.issue(kQp);
        } while (result.turn == RequesterPort::Turn::packet);
        return result;
    }
    void ack(std::uint32_t psn, std::uint8_t syndrome = Aeth::kAck) {
        Packet packet;
        packet.opcode = Opcode::acknowledge;
        packet.destination = kQp;
        packet.psn = Psn{psn};
        packet.aeth.syndrome = syndrome;
        completer.acknowledge(packet);
    }
    [[nodiscard]] std::vector<std::byte> payload(std::size_t n) {
        const Packet& packet = egress.sent.at(n).packet;
        if (packet.payload_bytes == 0) {
            return {};
        }
        const std::byte* const data = payloads.data(packet.payload);
        return {data, data + packet.payload_bytes};
    }
    // Status of the completions so far, by request number.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, WcStatus>> completed() const {
        std::vector<std::pair<std::uint32_t, WcStatus>> result;
        for (const auto& seen : completions.seen) {
            result.emplace_back(seen.cqe.request, seen.cqe.status);
        }
        return result;
    }

    std::list<Wqe> wqes;
    Memory memory{1U << 16U};
    Dma dma{*this, memory};
    Egresses egress{timeline};
    Protection protection;
    Work work{timeline};
    Completions completions{timeline};
    Faults faults;
    RxBuffer rx_buffer;
    Keys keys;
    ReadResponses reads;
    LocalOperations locals;
    RetransmitBuffer retransmit_buffer;
    PsnWindows windows;
    SendGate gate;
    Completer completer;
    Requester requester;
};

using Statuses = std::vector<std::pair<std::uint32_t, WcStatus>>;
using Turn = RequesterPort::Turn;

}  // namespace ndsim::test
