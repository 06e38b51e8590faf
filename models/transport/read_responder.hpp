// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/parts/forward_grain.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/egress.hpp"
#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/transport/assembly.hpp"
#include "models/transport/read_job.hpp"
#include "models/transport/transport_params.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/probe.hpp"
#include "sim/kernel/request_probe.hpp"
#include "sim/kernel/unit.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// ReadResponder: sends the responses to the peer's Reads, each Read after its scheduling time, and Reads of one queue
// pair at its pace. Queue pairs take turns, response by response. The key is checked and the data read when each
// response is built, so a key that dies in the middle of a Read ends it.
class ReadResponder final : public Unit, public TxRoomPort, public ReadClient {
public:
    sc_core::sc_export<TxRoomPort> room{"room"};
    sc_core::sc_port<DmaPort> dma{"dma"};
    sc_core::sc_port<EgressPort> egress{"egress"};
    sc_core::sc_port<ProtectionPort> protection{"protection"};

    ReadResponder(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params,
                  Picoseconds tx_pipe, const ForwardGrain& grain, Ledgers& ledgers, PayloadPool& payloads);

    void set_owner(ReadJobOwner& owner) { owner_ = &owner; }
    void add(const ReadJob& job);
    // The queue pair has failed: nothing more is sent for it.
    void drop(QpNum qp);

    void tx_room() override { serve(); }
    void read_arrives(std::uint32_t slot, Interval data) override;
    void read_space(ReadClass) override { serve(); }
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // The Reads of one queue pair that are still to be answered.
    struct Queue {
        Ring<ReadJob> jobs;
        std::uint32_t offset = 0;  // in the first job
        bool has_turn = false;
        bool waits = false;                         // for the start time of its first job
        Picoseconds next_start{};                   // by the pace of earlier jobs
        Account waited_for = Account::arbitration;  // since the last response
    };

    void may_start(std::uint32_t qp_index);  // Agenda: the first job of the queue pair

    void take_turn(std::uint32_t qp_index);
    [[nodiscard]] Picoseconds lane_time(const ReadJob& job) const;
    // Why the next response cannot be sent.
    enum class Lack : std::uint8_t { none, tx_fifo, tags };

    void serve();
    // Sends one response, unless something shared is missing.
    [[nodiscard]] Lack respond(Queue& queue);
    // The memory may not be read from this response on.
    void end_early(Queue& queue, Psn psn);
    [[nodiscard]] bool load(const Packet& packet, std::uint32_t slot);
    void hand_on(QpNum qp);
    void note();

    const Picoseconds schedule_;
    const Picoseconds interval_;
    const Picoseconds gap_;
    const Picoseconds tx_pipe_;
    const ForwardGrain grain_;  // of PCIe reads
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    ReadJobOwner* owner_ = nullptr;
    std::vector<Queue> queues_;
    Ring<std::uint32_t> turns_;
    bool serving_ = false;
    EngineTimes times_;
    Lack lack_ = Lack::none;    // of the next response
    std::uint64_t jobs_ = 0;    // in all queues
    Picoseconds data_until_{};  // of the responses that have their times
    Agenda<std::uint32_t, &ReadResponder::may_start> starts_;
    Assembly assembly_;
    std::vector<HostRange> ranges_;  // of the response being built
    std::vector<ReadPiece> pieces_;
    WorkProbe making_{*this, "packets", "responses from their turn until their first grain is built"};
    Probe<std::uint32_t> psn_{*this, "psn", "PSN of the response built last"};
    RequestProbe request_{*this, "request", "request whose response was built last"};
    std::uint64_t packets_ = 0;
    std::uint64_t reads_ = 0;
    std::uint64_t paced_ = 0;
};

}  // namespace ndsim
