// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/doorbell/doorbell_params.hpp"
#include "models/doorbell/doorbell_records.hpp"
#include "models/ports/doorbells.hpp"
#include "models/ports/pcie.hpp"
#include "models/ports/qp.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/lane.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// DoorbellUnit: the NIC's BAR. Stores enter a FIFO, are decoded in order, and reach their queue after a fixed time. A
// store that finds the FIFO full waits in front of it and holds its PCIe credits (back-pressure); or changes a doorbell
// of the same queue that waits in the FIFO; or is dropped, and its content is recovered later.
class DoorbellUnit final : public Unit,
                           public BarPort,
                           public DoorbellRecordPort,
                           public QpLifecycle,
                           private RecordOwner {
public:
    static constexpr PoolFacts kFifoPool{"fifo", "doorbells that wait to be decoded", PoolUnit::doorbells,
                                         "nic.doorbell_fifo", WhenFull::limit};

    sc_core::sc_export<BarPort> bar{"bar"};
    sc_core::sc_export<DoorbellRecordPort> records{"records"};
    sc_core::sc_export<QpLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_port<SqDoorbellPort> send_queues{"send_queues"};
    sc_core::sc_port<RqDoorbellPort> receive_queues{"receive_queues"};
    sc_core::sc_port<CqDoorbellPort> completion_queues{"completion_queues"};
    sc_core::sc_port<DmaPort> dma{"dma"};

    DoorbellUnit(const sc_core::sc_module_name& name, Timeline& timeline, const DoorbellParams& params,
                 PayloadPool& payloads);

    Picoseconds arrive(Picoseconds at, const Mmio& mmio) override;
    void read_receive_record(QpNum qp) override { records_.read_now(MmioKind::rq_doorbell, raw(qp)); }
    // Not quiet while a dropped doorbell may still bring receives to flush.
    [[nodiscard]] bool is_quiet(QpNum qp) const override;
    void report(StatSink& sink) const override;

private:
    // A doorbell that has been taken and has not reached its queue.
    struct Waiting {
        Mmio mmio;
        Picoseconds begins{};  // start of its decoding
    };

    void decoded(const int&) { deliver(waiting_.pop().mmio); }  // Lane: the oldest doorbell reaches its queue

    void enter(Picoseconds taken, const Mmio& mmio);
    [[nodiscard]] bool merge(Picoseconds at, const Mmio& mmio);
    void deliver(const Mmio& mmio);
    void throw_away(Mmio& mmio);
    [[nodiscard]] std::optional<Address> record_of(MmioKind kind, std::uint32_t queue) const override;
    void recovered(const Mmio& mmio) override { deliver(mmio); }

    const DoorbellParams params_;
    PayloadPool& payloads_;
    Picoseconds decoder_free_{};
    Picoseconds last_taken_{};
    Ring<Waiting> waiting_;  // in the FIFO, or on the way to their queues
    Lane<int, &DoorbellUnit::decoded> decoding_;
    EngineTimes times_;
    WorkProbe decoder_{*this, "decoder", "doorbells while they are decoded"};
    Pool fifo_;
    DoorbellRecords records_;
    std::uint64_t doorbells_ = 0;
    std::uint64_t full_ = 0;
    std::uint64_t coalesced_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace ndsim
