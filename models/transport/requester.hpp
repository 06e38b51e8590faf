// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ports/dma.hpp"
#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/queues.hpp"
#include "models/ports/wire.hpp"
#include "models/proto/forward_grain.hpp"
#include "models/proto/ledger.hpp"
#include "models/transport/assembly.hpp"
#include "models/transport/completer.hpp"
#include "models/transport/range_cursor.hpp"
#include "models/transport/transport_params.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// Requester: turns a send queue's messages into request packets. A packet gets its PSN and its room in the TX FIFO
// when it is issued, then its payload is read, and it is handed to the transmitter once its packets before it are.
// A Read is one packet, with PSNs for all of its responses. What is sent again is read again, unless it was kept.
class Requester final : public Unit, public RequesterPort, public QpLifecycle, public ReadClient {
public:
    sc_core::sc_export<RequesterPort> port{"port"};
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
    void flush(QpNum qp, const Wqe& wqe) override;
    void read_arrives(std::uint32_t slot, Interval data) override;
    void read_space(ReadClass cls) override;
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection& connection) override;
    void fail_qp(QpNum qp) override;
    [[nodiscard]] bool is_quiet(QpNum qp) const override;
    void destroy_qp(QpNum qp) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    struct Sender {
        PdNum pd{};
        QpNum peer{};
        HostId peer_host{};
        std::uint32_t mtu = 0;
        Psn reached;               // no packet from here on has ever been issued
        const Wqe* wqe = nullptr;  // the message under way
        std::uint32_t length = 0;
        std::uint32_t offset = 0;
        RangeCursor payload;  // of the message, in host memory
        std::uint32_t since_ack_request = 0;
        bool stopped = false;  // a message failed before it was sent
        Stall waited_for = Stall::none;
    };

    void begin_again(QpNum qp, Sender& sender, const BegunRequest& begun);
    [[nodiscard]] Picoseconds begin_local(QpNum qp, Sender& sender, const Wqe& wqe, bool again);
    [[nodiscard]] std::optional<Picoseconds> begin_read(QpNum qp, Sender& sender, const Wqe& wqe);
    [[nodiscard]] Picoseconds refuse(QpNum qp, Sender& sender, const Wqe& wqe, WcStatus why);
    [[nodiscard]] Packet next_packet(const Sender& sender, QpNum qp, std::uint32_t bytes) const;
    [[nodiscard]] bool may_use(Sender& sender, QpNum qp, const Wqe& wqe);
    // Gets the payload of the packet in `slot` under way; false if there is no DMA read free.
    [[nodiscard]] bool load(Sender& sender, std::uint32_t slot, const Packet& packet);
    void keep(const Assembly::Built& built);
    [[nodiscard]] Packet kept_packet(QpNum qp, const RetransmitBuffer::Kept& kept) const;
    void note_issue(QpNum qp, Sender& sender, const Packet& packet, Psn next);
    void hand_on(QpNum qp);

    const TransportParams params_;
    const Picoseconds tx_pipe_;
    const ForwardGrain grain_;  // of PCIe reads
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
    Assembly assembly_;              // a stream for each queue pair
    std::vector<ReadPiece> pieces_;  // of the packet being issued
    WorkProbe making_{*this, "packets", "packets from their issue until their first grain is built"};
    Probe<std::uint32_t> psn_{*this, "psn", "PSN issued last"};
    Probe<std::uint32_t> request_{*this, "request", "request whose packet was issued last"};
    std::uint64_t packets_ = 0;
    std::uint64_t resent_from_buffer_ = 0;
    std::uint64_t resent_refetched_ = 0;
    std::uint64_t refused_ = 0;
};

}  // namespace ndsim
