// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "tests/models/transport/requester_bench.hpp"

namespace ndsim::test {

using Psns = std::vector<std::uint32_t>;

// Requester and completer with a work-queue engine that takes no time: each queue pair goes through its list of WQEs in
// order, as far as it may, and back when it is told to. kQp and kQp2 are connected, both with first PSN 100.
struct QueueBench : RequesterBench {
    explicit QueueBench(const TransportParams& params = {}, QpConnection connection = plain_connection(),
                        bool invalidate_waits = false)
        : RequesterBench(params) {
        faults.units.push_back(&engine);
        for (const QpNum qp : {kQp, kQp2}) {
            QpAttributes attributes = attributes_of(qp);
            attributes.invalidate_waits = invalidate_waits;
            connection.peer = qp == kQp ? QpNum{0x99} : QpNum{0x9A};
            connect(attributes, connection);
        }
        work.on_rewind = [this](QpNum qp, std::uint32_t place) { engine.rewind(qp, place); };
        work.on_resume_qp = [this](QpNum qp) { engine.serve(qp); };
    }
    static QpConnection plain_connection() {
        QpConnection connection;
        connection.mtu = 1024;
        connection.first_psn = Psn{100};
        connection.outbound_reads = 4;
        connection.rnr_retry = 7;
        return connection;
    }

    // Nothing is sent again by itself.
    static TransportParams no_timeout() {
        TransportParams params;
        params.timeout_code = 0;
        return params;
    }

    // Each appends a request; its number is its running number over both queue pairs, from 1.
    void post_send(std::uint32_t length, unsigned flags = kWqeSignaled, QpNum qp = kQp, MrKey key = MrKey{1}) {
        post(qp, WqeOpcode::send, length, flags, key);
    }
    void post_read(std::uint32_t length, unsigned flags = kWqeSignaled, QpNum qp = kQp, MrKey key = MrKey{1}) {
        Wqe& wqe = add(qp, WqeOpcode::read, length, flags, key);
        wqe.remote = {Address{0x7000'0000}, MrKey{0x77}};
        engine.add(qp, wqe);
    }
    void post_write(std::uint32_t length, QpNum qp = kQp) {
        Wqe& wqe = add(qp, WqeOpcode::write, length, kWqeSignaled, MrKey{1});
        wqe.remote = {Address{0x7000'0000}, MrKey{0x78}};
        engine.add(qp, wqe);
    }
    void post_local(WqeOpcode opcode, MrKey key, unsigned flags = kWqeSignaled, QpNum qp = kQp) {
        Wqe& wqe = add(qp, opcode, 0, flags, MrKey{1});
        wqe.sges.clear();
        wqe.header.count = 0;
        wqe.operation.opcode = opcode;
        wqe.operation.key = key;
        engine.add(qp, wqe);
    }
    void post(QpNum qp, WqeOpcode opcode, std::uint32_t length, unsigned flags, MrKey key) {
        engine.add(qp, add(qp, opcode, length, flags, key));
    }

    void ack(std::uint32_t psn, std::uint8_t syndrome = Aeth::kAck, std::uint32_t msn = 0, QpNum qp = kQp) {
        Packet packet;
        packet.opcode = Opcode::acknowledge;
        packet.destination = qp;
        packet.psn = Psn{psn};
        packet.aeth = {syndrome, msn};
        completer.acknowledge(packet);
    }
    // A response packet; its payload is pattern(length, psn). Its last byte comes `rest` after its first grain.
    void respond(Opcode opcode, std::uint32_t psn, std::uint32_t length, std::uint32_t msn = 0, QpNum qp = kQp,
                 Picoseconds rest = {}) {
        Packet packet;
        packet.opcode = opcode;
        packet.destination = qp;
        packet.psn = Psn{psn};
        packet.payload_bytes = length;
        packet.aeth = {Aeth::kAck, msn};
        if (length > 0) {
            packet.payload = payloads.take();
            const auto bytes = pattern(length, psn);
            std::memcpy(payloads.data(packet.payload), bytes.data(), length);
        }
        completer.response(packet, {now(), now() + rest});
    }

    struct Left {
        Opcode opcode{};
        std::uint32_t psn = 0;
        Picoseconds at{};
        bool operator==(const Left&) const = default;
    };
    // What has been given to the transmitter, for one queue pair.
    [[nodiscard]] std::vector<Left> left(QpNum qp = kQp) const {
        std::vector<Left> result;
        for (const auto& sent : egress.sent) {
            if (sent.packet.source == qp) {
                result.push_back({sent.packet.opcode, sent.packet.psn.value(), sent.at});
            }
        }
        return result;
    }
    [[nodiscard]] std::vector<std::uint32_t> psns(QpNum qp = kQp) const {
        std::vector<std::uint32_t> result;
        for (const Left& each : left(qp)) {
            result.push_back(each.psn);
        }
        return result;
    }
    [[nodiscard]] std::vector<std::byte> memory_at(std::uint64_t offset, std::size_t length) const {
        return {memory.data.begin() + static_cast<std::ptrdiff_t>(offset),
                memory.data.begin() + static_cast<std::ptrdiff_t>(offset + length)};
    }
    // Frees the payloads that the transmitter would have sent, and checks that no other is left.
    void check_payloads() {
        for (const auto& sent : egress.sent) {
            payloads.give(sent.packet.payload);
        }
        CHECK(payloads.in_use() == 0);
    }

private:
    Wqe& add(QpNum, WqeOpcode opcode, std::uint32_t length, unsigned flags, MrKey key) {
        Wqe& wqe = wqes.emplace_back();
        const auto number = static_cast<std::uint32_t>(wqes.size());
        wqe.header = {opcode, static_cast<std::uint8_t>(flags), 1, 0, number, 0};
        wqe.sges.push_back({Memory::kBase, length, key});
        return wqe;
    }

public:
    class Engine final : public QpLifecycle {
    public:
        explicit Engine(QueueBench& bench) : bench_(bench) {}

        void add(QpNum qp, Wqe& wqe) {
            Queue& queue = queues_[qp];
            wqe.header.index = static_cast<std::uint32_t>(queue.wqes.size() + 1);
            queue.wqes.push_back(&wqe);
            queue.failed ? flush(qp, queue) : serve(qp);
        }
        void rewind(QpNum qp, std::uint32_t place) {
            Queue& queue = queues_[qp];
            const RequesterPort::Rewound rewound = bench_.requester.rewind(qp);
            if (rewound.slot_free) {
                bench_.work.message_built(bench_.now());
            }
            queue.repeats = rewound.repeats;
            queue.open = false;
            queue.next = 0;
            for (std::uint32_t at = 0; at != place; ++queue.next) {
                at += queue.wqes.at(queue.next)->header.units();
            }
            serve(qp);
        }
        void serve(QpNum qp) {
            Queue& queue = queues_[qp];
            if (std::exchange(queue.serving, true)) {
                return;
            }
            while (!queue.failed && (queue.repeats || queue.next < queue.wqes.size()) && step(qp, queue)) {
            }
            queue.serving = false;
        }
        void fail_qp(QpNum qp) override {
            queues_[qp].failed = true;
            flush(qp, queues_[qp]);
        }
        [[nodiscard]] Stall stall(QpNum qp = kQp) { return queues_[qp].stall; }

    private:
        struct Queue {
            std::vector<const Wqe*> wqes;
            std::size_t next = 0;
            std::size_t begun = 0;
            bool repeats = false;
            bool open = false;
            bool failed = false;
            bool serving = false;
            Stall stall = Stall::none;
        };
        bool step(QpNum qp, Queue& queue) {
            if (queue.repeats) {
                const RequesterPort::Result result = bench_.requester.repeat(qp);
                queue.stall = result.stall;
                queue.repeats = result.turn != RequesterPort::Turn::message_done;
                return result.turn != RequesterPort::Turn::blocked;
            }
            const Wqe& wqe = *queue.wqes[queue.next];
            if (!queue.open) {
                queue.stall = bench_.gate.may_begin(qp, wqe);
                if (queue.stall != Stall::none) {
                    return false;
                }
                queue.open = true;
                queue.begun = std::max(queue.begun, queue.next + 1);
                bench_.begin(wqe, qp);
            }
            const RequesterPort::Result result = bench_.requester.issue(qp);
            queue.stall = result.stall;
            if (result.turn == Turn::message_done) {
                queue.open = false;
                ++queue.next;
            }
            return result.turn != Turn::blocked;
        }
        void flush(QpNum qp, Queue& queue) {
            for (; queue.begun < queue.wqes.size(); ++queue.begun) {
                bench_.requester.flush(qp, *queue.wqes[queue.begun]);
            }
        }
        QueueBench& bench_;
        std::map<QpNum, Queue> queues_;
    };
    Engine engine{*this};
};

}  // namespace ndsim::test
