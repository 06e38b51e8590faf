// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/parts/received_pause.hpp"
#include "models/ports/egress.hpp"
#include "models/ports/lane.hpp"
#include "models/wire/ack_coalescer.hpp"
#include "models/wire/tx_queue.hpp"
#include "models/wire/wire_params.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/alarm.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/lane.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Egress: the NIC's transmitter. Acknowledgements, requests and responses of Reads take turns, packet by packet.
// Requests and responses hold room in the TX FIFO from their issue until they have left. A packet starts when enough of
// it is there that it cannot run dry. Requests of one queue pair leave in order, and so do its responses.
class Egress final : public Unit, public EgressPort, public PausePort {
public:
    static constexpr PoolFacts kTxFifoPool{
        "tx_fifo",     "bytes of the TX FIFO in use", PoolUnit::bytes,
        "nic.tx_fifo", WhenFull::idle_limit,          {"nic.tx.busy", "nic.tx.pause"}};

    sc_core::sc_export<EgressPort> port{"port"};
    sc_core::sc_export<PausePort> pause_in{"pause_in"};
    sc_core::sc_port<LanePort, 1, sc_core::SC_ZERO_OR_MORE_BOUND> lane{"lane"};  // none: no cable
    sc_core::sc_port<AckSource> acks{"acks"};
    sc_core::sc_port<RequestSentPort> sent{"sent"};
    sc_core::sc_port<TxRoomPort, 0, sc_core::SC_ONE_OR_MORE_BOUND> waiters{"waiters"};

    Egress(const sc_core::sc_module_name& name, Timeline& timeline, const PortParams& params, HostId host,
           Ledgers& ledgers);

    bool has_room(Bytes wire_bytes) override;
    void reserve(Bytes wire_bytes) override;
    void release(Bytes wire_bytes) override;
    [[nodiscard]] const ExactRate& lane_rate() const override { return lane->rate(); }
    [[nodiscard]] Framing framing() const override { return lane->framing(); }
    void send(const Packet& packet, Interval ready) override;
    void send_control(const Packet& packet, Picoseconds ready) override;
    void send_ack(QpNum qp, Picoseconds ready) override { ready_acks_.push(std::max(now(), ready), qp); }
    void pause(bool stop, Picoseconds at) override;
    [[nodiscard]] bool holds_packets() const override { return paused_.is_paused() && anything_waits(); }
    [[nodiscard]] std::uint64_t packets() const { return last_number_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // preamble and gap included
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // A pause frame's effect on this port.
    struct Pause {
        bool stop = false;
    };

    enum class Source : std::uint8_t { requests, acks, responses };
    static constexpr std::size_t kSources = 3;

    void packet_ready();                     // Alarm: the first packet that was not ready may start
    void ack_ready(const QpNum& qp);         // Agenda: an acknowledgement is built
    void lane_free();                        // Alarm: the packet on the lane has left
    void pause_arrives(const Pause& pause);  // Lane: the peer holds or frees this port

    [[nodiscard]] TxQueue& queue_of(const Packet& packet) {
        return info(packet.opcode).request ? requests_ : responses_;
    }
    [[nodiscard]] Picoseconds next_start() const { return std::min(requests_.next_start(), responses_.next_start()); }
    void look_at_packets();
    void wait_for_packet();
    void grant();
    void put(Packet& packet, bool from_fifo);
    void note();

    const PortParams params_;
    const HostId host_;
    Ledgers& ledgers_;
    [[nodiscard]] bool waits(Source source) const;
    [[nodiscard]] bool anything_waits() const {
        return requests_.ready() > 0 || !due_acks_.empty() || responses_.ready() > 0;
    }
    void put_next(Source source);
    void tell_waiters();

    std::vector<std::array<Picoseconds, 2>> last_start_;  // by QP index: of the last request, and of the last response
    TxQueue requests_;
    TxQueue responses_;
    AckCoalescer due_acks_;
    std::size_t last_source_ = static_cast<std::size_t>(Source::requests);  // of the packet granted last
    int next_waiter_ = 0;
    bool starved_ = false;       // a unit was refused room
    std::uint32_t awaited_ = 0;  // packets with room whose payload has yet to arrive
    Picoseconds lane_until_{};   // end of the last packet on the lane
    std::size_t rest_ = 0;       // state of the transmitter behind it
    std::uint32_t last_number_ = 0;
    std::uint64_t bytes_ = 0;

    Alarm<&Egress::packet_ready> ready_;
    Agenda<QpNum, &Egress::ack_ready> ready_acks_;
    Alarm<&Egress::lane_free> lane_free_;
    Lane<Pause, &Egress::pause_arrives> pauses_;
    Pool tx_fifo_;
    ReceivedPause paused_;
    EngineTimes times_;
    std::uint64_t acks_sent_ = 0;
};

}  // namespace ndsim
