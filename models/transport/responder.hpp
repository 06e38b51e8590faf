// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ports/dma.hpp"
#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/queues.hpp"
#include "models/ports/wire.hpp"
#include "models/proto/ledger.hpp"
#include "models/transport/ack_state.hpp"
#include "models/transport/parked_requests.hpp"
#include "models/transport/placed.hpp"
#include "models/transport/range_cursor.hpp"
#include "models/transport/read_responder.hpp"
#include "models/transport/transport_params.hpp"
#include "sim/base/ring.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/probe.hpp"
#include "sim/kernel/unit.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// Responder: executes the peer's requests in PSN order, each once. A Send takes the oldest receive, its payload goes to
// host memory, the CQE follows it, and an acknowledgement leaves when the acknowledge point is reached. If a receive is
// posted but not yet fetched, its queue pair's requests are set aside, or all requests wait behind it; if none is
// posted, an RNR NAK goes back and nothing is taken. A gap in the PSNs is answered by one NAK, a duplicate by an
// acknowledgement, or by a Read's data once more.
class Responder final : public Unit,
                        public AckSource,
                        public ReceiveReadyPort,
                        public QpLifecycle,
                        public WriteClient,
                        private ReadJobOwner {
public:
    static constexpr PoolFacts kRqParkPool{"rq_park", "queue pairs set aside for want of a receive WQE",
                                           PoolUnit::queue_pairs, "nic.rq_park"};

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
    void receive(const Packet& packet, Interval at);
    Packet make_ack(QpNum qp) override;
    // What Sends and Writes to the queue pair have brought.
    [[nodiscard]] const Placed& placed(QpNum qp) const { return receivers_.at(qp_index(qp)).placed; }
    void response_sent(const Packet& packet) override;
    void receive_ready(QpNum qp) override;
    void write_waited(std::uint32_t slot, Interval wait) override;
    void write_scheduled(std::uint32_t slot, Picoseconds issued, Picoseconds visible) override;
    void create_qp(const QpAttributes& attributes) override;
    void connect_qp(QpNum qp, const QpConnection& connection) override;
    void fail_qp(QpNum qp) override;
    void destroy_qp(QpNum qp) override;
    // Request packets executed so far.
    [[nodiscard]] std::uint64_t packets_executed() const { return packets_; }
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    struct Receiver {
        QpNum qp{};
        PdNum pd{};
        CqNum cq{};
        QpNum peer{};
        HostId peer_host{};
        std::uint32_t mtu = 0;
        std::uint32_t inbound_reads = 0;
        QpWatch* watch = nullptr;
        std::uint32_t watched_reads = 0;  // that it counts
        bool gives_credits = false;
        bool connected = false;
        bool failed = false;
        bool refused = false;  // a request was refused for good; nothing more is accepted
        bool open = false;     // in the middle of a message
        Operation operation{};
        Psn expected;
        std::uint32_t msn = 0;
        Wqe wqe;             // the receive that the message fills
        RangeCursor target;  // where the message goes
        KeyUse written;      // by a Write
        std::uint32_t capacity = 0;
        std::uint32_t offset = 0;
        Placed placed;
        AckState ack;
        Ring<ReadJob> read_history;  // the last ones, as many as may be outstanding
    };
    struct Write {  // the last write of a packet's payload
        Packet packet;
        std::uint32_t number = 0;   // for AckState
        std::uint32_t receive = 0;  // request number of the receive, for traces
    };
    enum class Start : std::uint8_t { started, waits, refused };

    bool admit(const Arrival& arrival);
    bool park(const Arrival& arrival);
    bool work_off(std::uint32_t index);
    void go_on();
    void set_blocked(bool blocked);
    [[nodiscard]] static std::span<const EngineState> states();
    void note();
    [[nodiscard]] Arrival late(const Arrival& arrival);
    // False if the packet has to wait for its receive WQE.
    bool handle(const Packet& packet, Interval at);
    void handle_duplicate(Receiver& receiver, const Packet& packet);
    void handle_read(Receiver& receiver, const Packet& packet, Interval at);
    [[nodiscard]] static bool well_formed(const Receiver& receiver, const Packet& packet);
    [[nodiscard]] Start start_message(Receiver& receiver, const Packet& packet);
    [[nodiscard]] Start start_send(Receiver& receiver, const Packet& packet);
    [[nodiscard]] bool may_go_on(const Receiver& receiver) const;
    [[nodiscard]] Start start_write(Receiver& receiver, const Packet& packet);
    [[nodiscard]] bool writable(Receiver& receiver, QpNum qp);
    void place(Receiver& receiver, const Packet& packet, Interval at);
    void finish_message(Receiver& receiver, const Packet& packet, Interval at);
    void complete_receive(Receiver& receiver, const Packet& packet, WcStatus status, Picoseconds at);
    void executed(QpNum qp, std::uint32_t number, Picoseconds at);
    // Asks for the packet again, or for time.
    void ask_again(Receiver& receiver, const Packet& packet, std::uint8_t nak);
    void refuse(Receiver& receiver, QpNum qp, Psn psn, std::uint8_t nak, WcStatus why);
    void fail_message(Receiver& receiver, const Packet& packet, WcStatus status, std::uint8_t nak);
    void show_reads(Receiver& receiver);
    void read_refused(QpNum qp, Psn psn, std::size_t behind) override;
    void repeat_refused(QpNum qp, Psn psn, std::size_t behind) override;
    void drop(const Packet& packet);

    const TransportParams params_;
    const Picoseconds tx_pipe_;
    const std::uint8_t rnr_timer_;
    const HostId host_;
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    ReadResponder& reads_;
    std::vector<Receiver> receivers_;
    bool blocked_ = false;  // the packet in front waits for its receive WQE
    Ring<Arrival> held_;    // it, and those behind it
    ParkedRequests parked_;
    std::vector<Write> writes_;
    std::vector<std::uint32_t> free_writes_;
    WorkProbe executing_{*this, "packets", "packets from their acceptance until their payload is visible"};
    Probe<std::uint32_t> psn_{*this, "psn", "PSN accepted last"};
    Probe<std::uint32_t> request_{*this, "request", "request whose packet was accepted last"};
    Probe<bool> waits_{*this, "waits", "a message waits for its receive WQE, and all requests behind it"};
    EngineTimes times_;
    Picoseconds issued_until_{};  // of the writes that have their times
    Pool rq_park_;
    std::uint64_t packets_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t rnr_naks_ = 0;
    std::uint64_t naks_ = 0;
    std::uint64_t parked_messages_ = 0;
    std::uint64_t duplicates_ = 0;
    std::uint64_t dropped_ = 0;
};

}  // namespace ndsim
