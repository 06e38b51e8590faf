// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/ports/completions.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/egress.hpp"
#include "models/ports/ingress.hpp"
#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/receives.hpp"
#include "models/transport/acknowledger.hpp"
#include "models/transport/inbound_reads.hpp"
#include "models/transport/inbound_requests.hpp"
#include "models/transport/incoming_message.hpp"
#include "models/transport/payload_placement.hpp"
#include "models/transport/placed_payload.hpp"
#include "models/transport/read_responder.hpp"
#include "models/transport/receive_completions.hpp"
#include "models/transport/refusal.hpp"
#include "models/transport/repeated_reads.hpp"
#include "models/transport/responder_state.hpp"
#include "models/transport/responder_times.hpp"
#include "models/transport/transport_params.hpp"
#include "sim/kernel/probe.hpp"
#include "sim/kernel/request_probe.hpp"
#include "sim/kernel/unit.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// Responder: executes the peer's requests in PSN order, each once. A Send takes the oldest receive, its payload goes to
// host memory, the CQE follows, and an acknowledgement leaves at the acknowledge point. If no receive is posted, an RNR
// NAK goes back and nothing is taken. The answer to a gap in the PSNs is one NAK; the answer to a duplicate is an
// acknowledgement, or a Read's data again.
class Responder final : public Unit,
                        public ReceiveReadyPort,
                        public QpLifecycle,
                        private RequestHandler,
                        private ReadJobOwner {
public:
    sc_core::sc_export<AckSource> acks{"acks"};
    sc_core::sc_export<ReceiveReadyPort> receive_events{"receive_events"};
    sc_core::sc_export<QpLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_port<DmaPort> dma{"dma"};
    sc_core::sc_port<EgressPort> egress{"egress"};
    sc_core::sc_port<RxBufferPort> rx_buffer{"rx_buffer"};
    sc_core::sc_port<ReceiveQueuePort> receives{"receives"};
    sc_core::sc_port<CompletionPort> completions{"completions"};
    sc_core::sc_port<ProtectionPort> protection{"protection"};
    sc_core::sc_port<KeyPort> keys{"keys"};
    sc_core::sc_port<QpFaultPort> faults{"faults"};

    Responder(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params,
              Picoseconds tx_pipe, std::uint8_t rnr_timer, HostId host, Ledgers& ledgers, PayloadPool& payloads,
              ReadResponder& reads);

    // A request packet: its forward grain is through the pipeline at `at.start`, its last byte at `at.end`.
    void receive(const Packet& packet, Interval at) { waiting_.receive(packet, at); }
    void receive_ready(QpNum qp) override { waiting_.receive_ready(qp); }
    // The data of Sends and Writes to the queue pair so far.
    [[nodiscard]] PlacedPayload placed(QpNum qp) const { return placement_.placed(qp); }
    [[nodiscard]] ResponderState state(QpNum qp) const { return receivers_.at(qp_index(qp)).state; }
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection& connection) override;
    void fail_qp(QpNum qp) override;
    [[nodiscard]] bool has_told_peer(QpNum qp) const override { return !answers_.owes_nak(qp); }
    void destroy_qp(QpNum qp) override;
    // Request packets executed so far.
    [[nodiscard]] std::uint64_t packets_executed() const { return packets_; }
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    using State = ResponderState;
    // The responder's state of one queue pair.
    struct Receiver {
        QpNum qp{};
        std::uint32_t mtu = 0;
        State state = State::absent;
        Psn expected;
        IncomingMessage message;  // the message under way, or the last one
        InboundReads reads;
        RepeatedReads repeated;
    };

    bool handle(const Packet& packet, Interval at) override;
    bool between_messages(Receiver& receiver, const Packet& packet, Interval at);
    void in_message(Receiver& receiver, const Packet& packet, Interval at, const Refusal& otherwise);
    bool begin_send(Receiver& receiver, const Packet& packet, Interval at);
    void begin_write(Receiver& receiver, const Packet& packet, Interval at);
    void execute_read(Receiver& receiver, const Packet& packet, Interval at);
    void go_on(Receiver& receiver, const Packet& packet, Interval at);
    void accept(const Packet& packet, Interval at);
    void finish_message(Receiver& receiver, const Packet& packet, Interval at);

    void answer_again(const Receiver& receiver, const Packet& packet, Interval at);
    void ask_again(const Receiver& receiver, const Packet& packet, Interval at, std::uint8_t nak);
    void refuse(Receiver& receiver, const Packet& packet, Interval at, const Refusal& refusal);
    void fail(Receiver& receiver, Psn psn, const Refusal& refusal, Picoseconds at);
    void read_refused(QpNum qp, Psn psn, std::size_t behind) override;
    void repeat_refused(QpNum qp, Psn psn, std::size_t behind) override { answers_.cut_repeated_read(qp, psn, behind); }
    void drop(const Packet& packet, Interval at);

    const std::uint8_t rnr_timer_;
    const HostId host_;
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    ReadResponder& reads_;
    std::vector<Receiver> receivers_;
    WorkProbe executing_{*this, "packets", "packets from their acceptance until their payload is visible"};
    Probe<std::uint32_t> psn_{*this, "psn", "PSN accepted last"};
    RequestProbe request_{*this, "request", "request whose packet was accepted last"};
    ResponderTimes times_;
    InboundRequests waiting_;
    Acknowledger answers_;
    ReceiveCompletions ended_;
    PayloadPlacement placement_;
    std::uint64_t packets_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t rnr_naks_ = 0;
    std::uint64_t duplicates_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace ndsim
