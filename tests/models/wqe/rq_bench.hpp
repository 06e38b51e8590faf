// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "models/wqe/receive_queues.hpp"
#include "tests/models/wqe/records.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test {

// The responder, which hears that a receive is ready.
struct Ready final : ReceiveReadyPort {
    explicit Ready(const Timeline& its_timeline) : timeline(its_timeline) {}
    void receive_ready(QpNum qp) override {
        seen.push_back({qp, timeline.now()});
        then();
    }
    const Timeline& timeline;
    std::vector<std::pair<QpNum, Picoseconds>> seen;
    std::function<void()> then = [] {};
};

// The control unit, which hears that a shared queue runs low.
struct Limits final : SrqLimitPort {
    explicit Limits(const Timeline& its_timeline) : timeline(its_timeline) {}
    void srq_limit_reached(SrqNum srq) override { seen.push_back({srq, timeline.now()}); }
    const Timeline& timeline;
    std::vector<std::pair<SrqNum, Picoseconds>> seen;
};

// Receive queues with rings of 24 entries of one unit, in front of a DMA double that takes 400 ns.
struct RqBench : Bench {
    explicit RqBench(std::uint32_t prefetch = 16, std::uint32_t batch = 8, RqDoorbell doorbell = RqDoorbell::store)
        : rq("rq", timeline, params(prefetch, batch, doorbell), kHost, ledgers, payloads) {
        rq.dma.bind(dma);
        rq.responder.bind(ready);
        rq.completions.bind(completions);
        rq.limits.bind(limits);
        rq.records.bind(records);
        for (const QpNum qp : {kQp, kQp2}) {
            QpAttributes attributes;
            attributes.qp = qp;
            attributes.receive_cq = kReceiveCq;
            attributes.rq_ring = Memory::kBase + qp_index(qp) * 65536ULL;
            attributes.rq_entries = 24;
            attributes.rq_stride = 1;
            rq.create_qp(attributes);
            rq.connect_qp(qp, {});
        }
    }
    static WqeParams params(std::uint32_t prefetch, std::uint32_t batch, RqDoorbell doorbell) {
        WqeParams result;
        result.wqe_fetch_batch = 1;  // the send queues' own
        result.rq_prefetch = prefetch;
        result.rq_fetch_batch = batch;
        result.rq_doorbell = doorbell;
        return result;
    }
    // Receives into the ring, and their doorbell.
    void post(std::uint32_t count, QpNum qp = kQp) {
        write(count, qp);
        rq.rq_doorbell(qp, producer);
    }
    void write(std::uint32_t count, QpNum qp = kQp) {
        for (std::uint32_t i = 0; i < count; ++i) {
            std::byte* const entry =
                memory.bytes(Memory::kBase + qp_index(qp) * 65536ULL + (producer % 24) * 64ULL, 64);
            write_wqe_header(entry, {WqeOpcode::receive, 0, 1, producer, producer + 1, 0});
            write_wqe_sge(entry + kWqeHeader, 0, {Memory::kBase, 100 + producer, MrKey{1}});
            ++producer;
        }
    }
    std::vector<std::uint32_t> fetched() const {
        std::vector<std::uint32_t> result;
        for (const auto& read : dma.reads) {
            result.push_back(read.pieces.at(0).length / 64);
        }
        return result;
    }

    Memory memory{1U << 18U};
    Dma dma{*this, memory};
    Ready ready{timeline};
    Completions completions{timeline};
    Limits limits{timeline};
    Records records;
    ReceiveQueues rq;
    std::uint32_t producer = 0;
};

}  // namespace ndsim::test
