// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/transport/responder.hpp"
#include "models/wqe/receive_queues.hpp"
#include "tests/models/transport/unpaced_reads.hpp"
#include "tests/models/wqe/records.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test {

inline constexpr QpNum kQp3{kFirstQp + 2};

// A responder with its receive queues, which fetch one receive ahead; a read takes 400 ns. Three queue pairs, each
// expecting PSN 100, with receives of 4 KiB; or all three share one queue. A packet is in the NIC at once.
struct ParkBench : Bench, SrqLimitPort {
    static constexpr Picoseconds kPipe = std::chrono::nanoseconds{35};

    explicit ParkBench(std::uint32_t rq_park, bool shared = false)
        : responder("responder", timeline, with_park(rq_park), kPipe, 12, kHost, ledgers, payloads, reads),
          rq("rq", timeline, one_ahead(), kHost, ledgers, payloads),
          shares(shared) {
        reads.dma.bind(dma);
        reads.egress.bind(egress);
        reads.protection.bind(protection);
        responder.dma.bind(dma);
        responder.egress.bind(egress);
        responder.rx_buffer.bind(rx_buffer);
        responder.receives.bind(rq);
        responder.completions.bind(completions);
        responder.protection.bind(protection);
        responder.faults.bind(faults);
        responder.keys.bind(keys);
        rq.dma.bind(dma);
        rq.responder.bind(responder);
        rq.completions.bind(completions);
        rq.limits.bind(*this);
        rq.records.bind(records);
        faults.units = {&responder, &rq};
        if (shared) {
            rq.create_srq({SrqNum{0}, ring(kQp), kEntries, 1});
        }
        for (const QpNum qp : {kQp, kQp2, kQp3}) {
            QpAttributes attributes;
            attributes.qp = qp;
            attributes.pd = kPd;
            attributes.receive_cq = kReceiveCq;
            attributes.rq_ring = ring(qp);
            attributes.rq_entries = kEntries;
            attributes.rq_stride = 1;
            if (shared) {
                attributes.srq = SrqNum{0};
            }
            QpConnection connection;
            connection.peer = QpNum{raw(qp) + 0x80};
            connection.mtu = 1024;
            connection.expected_psn = Psn{100};
            for (QpLifecycle* const unit : faults.units) {
                unit->create_qp(attributes);
                unit->connect_qp(qp, connection);
            }
        }
        egress.on_ack = [this](QpNum qp, Picoseconds ready) {
            at(ready, [this, qp] {
                if (const auto ack = responder.acks->make_ack(qp)) {
                    acks.push_back({*ack, now()});
                }
            });
        };
    }

    // Receive n of a queue has index n.
    void post(std::uint32_t count, QpNum qp = kQp) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t index = posted[qp]++;
            std::byte* const entry = memory.bytes(ring(qp) + (index % kEntries) * 64ULL, 64);
            write_wqe_header(entry, {WqeOpcode::receive, 0, 1, index, 0, 0});
            write_wqe_sge(entry + kWqeHeader, 0, {Memory::kBase, 4096, MrKey{1}});
        }
        shares ? rq.srq_doorbell(SrqNum{0}, posted[qp]) : rq.rq_doorbell(qp, posted[qp]);
    }
    void receive(QpNum qp, Opcode opcode, std::uint32_t psn, std::uint32_t length = 8) {
        Packet packet;
        packet.opcode = opcode;
        packet.psn = Psn{psn};
        packet.destination = qp;
        packet.ack_request = info(opcode).last;
        packet.payload_bytes = length;
        packet.payload = payloads.take();
        packet.remote = Memory::kBase;
        packet.key = MrKey{1};
        packet.dma_length = length;
        responder.receive(packet, {now(), now()});
    }
    void send(QpNum qp, std::uint32_t psn) { receive(qp, Opcode::send_only, psn); }

    struct Done {
        QpNum qp{};
        std::uint32_t wqe_index = 0;
        Picoseconds at{};
        bool operator==(const Done&) const = default;
    };
    // Receives that succeeded, in the order in which they did.
    [[nodiscard]] std::vector<Done> done() const {
        std::vector<Done> result;
        for (const auto& seen : completions.seen) {
            if (seen.cqe.status == WcStatus::success) {
                result.push_back({seen.cqe.qp, seen.cqe.wqe_index, seen.at});
            }
        }
        return result;
    }
    // Nothing is left, and each byte of RX buffer has come back.
    void check_done(Bytes received) {
        CHECK(rx_buffer.total() == received);
        CHECK(payloads.in_use() == 0);
        check_at_rest(responder);
        check_at_rest(rq);
    }
    [[nodiscard]] std::uint64_t most_parked() const {
        for (const Pool* const pool : responder.pools()) {
            if (pool->name() == "rq_park") {
                return pool->occupancy().high_water();
            }
        }
        return 0;
    }
    void srq_limit_reached(SrqNum) override {}

    static constexpr std::uint32_t kEntries = 16;
    [[nodiscard]] static Address ring(QpNum qp) { return Memory::kBase + 65536 + qp_index(qp) * 65536ULL; }

    Memory memory{1U << 18U};
    Dma dma{*this, memory};
    Egresses egress{timeline};
    RxBuffer rx_buffer;
    Completions completions{timeline};
    Protection protection;
    Faults faults;
    Keys keys;
    ReadResponder reads{"reads", timeline, unpaced_reads(), kPipe, {}, ledgers, payloads};
    Responder responder;
    Records records;
    ReceiveQueues rq;
    std::map<QpNum, std::uint32_t> posted;
    std::vector<BuiltAck> acks;
    bool shares = false;

private:
    static TransportParams with_park(std::uint32_t rq_park) {
        TransportParams params;
        params.rq_park = rq_park;
        return params;
    }
    static WqeParams one_ahead() {
        WqeParams params;
        params.rq_prefetch = 1;
        return params;
    }
};

}  // namespace ndsim::test
