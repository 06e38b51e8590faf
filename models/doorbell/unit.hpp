// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/doorbell/doorbell_params.hpp"
#include "models/ports/pcie.hpp"
#include "models/ports/queues.hpp"
#include "sim/kernel/lane.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// DoorbellUnit: the NIC's BAR. Stores enter a FIFO, are decoded one after the other, and reach their queue after a
// fixed time. While the FIFO is full, stores wait in front of it and hold their PCIe credits (back-pressure).
class DoorbellUnit final : public Unit, public BarPort {
public:
    sc_core::sc_export<BarPort> bar{"bar"};
    sc_core::sc_port<SqDoorbellPort> send_queues{"send_queues"};
    sc_core::sc_port<RqDoorbellPort> receive_queues{"receive_queues"};
    sc_core::sc_port<CqDoorbellPort> completion_queues{"completion_queues"};

    DoorbellUnit(const sc_core::sc_module_name& name, Timeline& timeline, const DoorbellParams& params);

    Picoseconds arrive(Picoseconds at, const Mmio& mmio) override;
    void report(StatSink& sink) const override;

private:
    void decoded(const Mmio& mmio);  // Lane: a doorbell reaches its queue

    const DoorbellParams params_;
    Picoseconds decoder_free_{};
    Lane<Mmio, &DoorbellUnit::decoded> decoding_;
    Pool fifo_;
    std::uint64_t doorbells_ = 0;
    std::uint64_t full_ = 0;
};

}  // namespace ndsim
