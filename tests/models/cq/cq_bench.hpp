// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/cq/completion_engine.hpp"
#include "sim/base/little_endian.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test {

struct CqFaults final : CqFaultPort {
    void cq_failed(CqNum cq) override { failed.push_back(cq); }
    std::vector<CqNum> failed;
};

// A completion engine with one queue of `entries` entries at the beginning of memory, MSI-X vector 9.
struct CqBench : Bench {
    static constexpr CqNum kCq{1};
    static constexpr std::uint64_t kIndex = 0xFF00;  // where software keeps its consumer index

    explicit CqBench(std::uint32_t entries = 4, const CqParams& params = {}) : CqBench(entries, with(params)) {}
    CqBench(std::uint32_t entries, const QueueParams& params)
        : engine("cq", timeline, params, kHost, ledgers, payloads) {
        engine.dma.bind(dma);
        engine.faults.bind(faults);
        engine.create_cq({kCq, Memory::kBase, entries, entries, 9, nullptr, Memory::kBase + kIndex});
    }
    [[nodiscard]] static QueueParams with(const CqParams& cq) {
        QueueParams params;
        params.cq = cq;
        return params;
    }
    // Software polls, and the NIC is not told: up to entry `consumer`.
    void poll(std::uint32_t consumer) { store_le(memory.data.data() + kIndex, consumer); }
    void complete(WcStatus status = WcStatus::success, bool solicited = false, bool behind_payload = false,
                  std::uint32_t index = 0) {
        Cqe cqe;
        cqe.qp = kQp;
        cqe.wqe_index = index;
        cqe.status = status;
        cqe.solicited = solicited;
        engine.complete(kCq, cqe, now(), behind_payload);
    }
    [[nodiscard]] std::size_t interrupts() const {
        std::size_t count = 0;
        for (const auto& write : dma.writes) {
            count += write.train.interrupt ? 1 : 0;
        }
        return count;
    }
    [[nodiscard]] std::size_t cqes() const { return dma.writes.size() - interrupts(); }

    // When interrupts were given to DMA.
    [[nodiscard]] std::vector<Picoseconds> interrupt_times() const {
        std::vector<Picoseconds> times;
        for (const auto& write : dma.writes) {
            if (write.train.interrupt) {
                times.push_back(write.at);
            }
        }
        return times;
    }

    Memory memory{1U << 16U};
    Dma dma{*this, memory};
    CqFaults faults;
    CompletionEngine engine;
};

}  // namespace ndsim::test
