// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/parts/forward_grain.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/egress.hpp"
#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/requests.hpp"
#include "models/transport/completer.hpp"
#include "models/transport/outgoing_message.hpp"
#include "models/transport/request_assembly.hpp"
#include "models/transport/transport_params.hpp"
#include "sim/kernel/probe.hpp"
#include "sim/kernel/request_probe.hpp"
#include "sim/kernel/unit.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// Requester: turns a send queue's messages into request packets. A packet gets its PSN and room in the TX FIFO when it
// is issued. Then its payload is read, and it goes to the transmitter behind its predecessors. A Read is one packet,
// with PSNs for all of its responses. Payload that is sent again is read again, unless it was kept.
class Requester final : public Unit, public RequesterPort, public RequestSentPort, public QpLifecycle {
public:
    sc_core::sc_export<RequesterPort> port{"port"};
    sc_core::sc_export<RequestSentPort> sent{"sent"};
    sc_core::sc_export<QpLifecycle> lifecycle{"lifecycle"};
    sc_core::sc_port<DmaPort> dma{"dma"};
    sc_core::sc_port<EgressPort> egress{"egress"};
    sc_core::sc_port<ProtectionPort> protection{"protection"};
    sc_core::sc_port<WorkPort> work{"work"};

    Requester(const sc_core::sc_module_name& name, Timeline& timeline, const TransportParams& params,
              Picoseconds tx_pipe, const ForwardGrain& grain, HostId host, Ledgers& ledgers, PayloadPool& payloads,
              Completer& completer, PsnWindows& windows, SendGate& gate, ReadResponses& reads, LocalOperations& locals,
              RetransmitBuffer& kept);

    [[nodiscard]] std::optional<Picoseconds> begin(QpNum qp, const Wqe& wqe) override;
    Result issue(QpNum qp) override;
    [[nodiscard]] Rewound rewind(QpNum qp) override;
    Result repeat(QpNum qp) override;
    void request_sent(const Packet& packet, Picoseconds at) override;
    void flush(QpNum qp, const Wqe& wqe) override { completer_.flush(qp, wqe.header); }
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection& connection) override;
    void fail_qp(QpNum qp) override;
    [[nodiscard]] bool is_quiet(QpNum qp) const override { return assembly_.is_empty(qp); }
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // The send side of one queue pair.
    struct Sender {
        PdNum pd{};
        QpNum peer{};
        HostId peer_host{};
        std::uint32_t mtu = 0;
        Psn reached;  // no packet from here on was ever issued
        OutgoingMessage message;
        std::uint32_t since_ack_request = 0;
        bool stopped = false;  // a message failed before it was sent
        Stall waited_for = Stall::none;
    };

    [[nodiscard]] Picoseconds begin_local(QpNum qp, Sender& sender, const Wqe& wqe, bool again);
    [[nodiscard]] std::optional<Picoseconds> begin_read(QpNum qp, Sender& sender, const Wqe& wqe,
                                                        const OutstandingRequest* begun);
    [[nodiscard]] Picoseconds refuse(QpNum qp, Sender& sender, const Wqe& wqe, WcStatus why);
    [[nodiscard]] Packet next_packet(const Sender& sender, QpNum qp, const OutgoingMessage::Cut& cut) const;
    [[nodiscard]] static Result blocked(Sender& sender, Stall stall);
    void charge_wait(Sender& sender, const Packet& packet);
    void note_issue(QpNum qp, Sender& sender, const Packet& packet, Psn next);

    const TransportParams params_;
    const Picoseconds tx_pipe_;
    const HostId host_;
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    Completer& completer_;
    PsnWindows& windows_;
    SendGate& gate_;
    ReadResponses& reads_;
    LocalOperations& locals_;
    RetransmitBuffer& kept_;
    std::vector<Sender> senders_;
    WorkProbe making_{*this, "packets", "packets from their issue until their first grain is built"};
    Probe<std::uint32_t> psn_{*this, "psn", "PSN issued last"};
    RequestProbe request_{*this, "request", "request whose packet was issued last"};
    RequestAssembly assembly_;
    std::uint64_t packets_ = 0;
    std::uint64_t resent_from_buffer_ = 0;
    std::uint64_t resent_refetched_ = 0;
    std::uint64_t refused_ = 0;
};

}  // namespace ndsim
