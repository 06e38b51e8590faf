// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "models/control/control_params.hpp"
#include "models/ports/control.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/egress.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// ControlUnit: the command interface. A command takes effect half-way through its latency. Software hears the answer,
// and the NIC's own events (a failed queue pair, a low shared receive queue, a datagram), afterwards. The unit also
// tells every unit that a queue pair has failed, and watches the pair until nothing of it is left.
class ControlUnit final : public Unit,
                          public ControlPort,
                          public QpFaultPort,
                          public CqFaultPort,
                          public SrqLimitPort,
                          public DatagramPort,
                          public WriteClient {
public:
    sc_core::sc_export<ControlPort> commands{"commands"};
    sc_core::sc_export<QpFaultPort> qp_faults{"qp_faults"};
    sc_core::sc_export<CqFaultPort> cq_faults{"cq_faults"};
    sc_core::sc_export<SrqLimitPort> srq_limits{"srq_limits"};
    sc_core::sc_export<DatagramPort> datagrams{"datagrams"};
    sc_core::sc_port<QpLifecycle, 0> queue_pairs{"queue_pairs"};
    sc_core::sc_port<CqLifecycle> completion_queues{"completion_queues"};
    sc_core::sc_port<SrqLifecycle> shared_receive_queues{"shared_receive_queues"};
    sc_core::sc_port<ProtectionAdmin, 0> protection{"protection"};  // units that keep state of keys
    sc_core::sc_port<EgressPort> egress{"egress"};
    sc_core::sc_port<DmaPort> dma{"dma"};
    sc_core::sc_port<HostEvents> host{"host"};

    ControlUnit(const sc_core::sc_module_name& name, Timeline& timeline, const ControlParams& params,
                Picoseconds tx_pipe, PayloadPool& payloads);

    void submit(Picoseconds at, Command command, std::function<void()> done) override;
    void quiesce(Picoseconds at, QpNum qp, Address event, std::function<void()> done) override;
    void qp_failed(QpNum qp, WcStatus why) override;
    void cq_failed(CqNum cq) override;
    void srq_limit_reached(SrqNum srq) override;
    void datagram_arrived(const Packet& packet) override;
    void write_scheduled(std::uint32_t slot, Picoseconds issued, Picoseconds visible) override;
    void report(StatSink& sink) const override;

private:
    using Action = std::function<void()>;
    void act(const Action& action) { action(); }  // Agenda: a command takes effect, or software hears something

    void execute(const Command& command);
    // A failed queue pair that is watched until it is quiet.
    struct Quiescence {
        QpNum qp{};
        Address event{};
        std::function<void()> done;
    };
    Interval schedule(Picoseconds at, Picoseconds span);
    void watch(std::uint32_t slot);
    void settle(const DmaMark& mark, const std::function<void()>& done);
    // Half a command's latency later.
    void look_again(Action look) { actions_.push(now() + params_.command_latency / 2, std::move(look)); }
    void tell_host(Action action);
    void report_failure(QpNum qp, WcStatus why);
    void tell_of_failure(QpNum qp, WcStatus why);
    [[nodiscard]] Picoseconds latency(const Command& command) const;
    void send_datagram(const SendDatagram& datagram);

    const ControlParams params_;
    const Picoseconds tx_pipe_;
    PayloadPool& payloads_;
    // The control unit's state of a queue pair.
    struct QueuePair {
        QpAttributes attributes;
        bool failed = false;
    };
    std::vector<std::optional<QueuePair>> qps_;  // by qp_index(); those that exist
    std::vector<Quiescence> quiescences_;
    std::vector<std::uint32_t> free_quiescences_;
    Picoseconds last_done_{};
    Agenda<Action, &ControlUnit::act> actions_;
    EngineTimes times_;
    std::uint64_t commands_ = 0;
    std::uint64_t connects_ = 0;
    std::uint64_t datagrams_ = 0;
    std::uint64_t events_ = 0;
};

}  // namespace ndsim
