// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "models/ports/egress.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/receives.hpp"
#include "models/transport/ack_state.hpp"
#include "models/transport/shown_level.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Acknowledger: the responder's answers to the peers of its queue pairs. It requests acknowledgements and NAKs when
// they are due, and makes each when its turn on the lane comes: an answer covers the requests executed by then, tells
// how many receives are posted, and never passes the responses of a Read.
class Acknowledger final : public AckSource {
public:
    Acknowledger(const Unit& owner, Picoseconds tx_pipe, sc_core::sc_port<EgressPort>& egress,
                 sc_core::sc_port<ReceiveQueuePort>& receives);

    void create(QpNum qp, QpWatch* watch);
    void connect(QpNum qp, const QpConnection& connection);
    void destroy(QpNum qp);

    // The request that ends with PSN `last` is accepted; returns the number for executed().
    std::uint32_t accept(QpNum qp, Psn last, bool ends_message, bool asks);
    // The request counts as executed from `at` on.
    void executed(QpNum qp, std::uint32_t number, Picoseconds at);
    // Messages received, modulo 2^24.
    [[nodiscard]] std::uint32_t msn(QpNum qp) const { return of(qp).msn; }
    // Repeats how far the requests are executed [X9], for a packet whose last byte arrives at `at`.
    void repeat(QpNum qp, Picoseconds at) {
        of(qp).state.repeat();
        egress_->send_ack(qp, at + tx_pipe_);
    }

    // The packet `psn`, whose last byte arrives at `at`, is refused, for good or for now.
    void refuse(QpNum qp, Psn psn, std::uint8_t nak, Picoseconds at);
    // Nothing from `psn` on is ever acknowledged.
    void fall_silent(QpNum qp, Psn psn) { of(qp).state.fall_silent(psn); }
    // A NAK has asked for the next packet, which has not arrived.
    [[nodiscard]] bool waits_for_missing(QpNum qp) const { return of(qp).state.nak_open(); }
    void missing_came(QpNum qp) { of(qp).state.missing_came(); }
    [[nodiscard]] bool owes_nak(QpNum qp) const { return of(qp).state.owes_nak(); }

    // The responses [first, end) of a Read will be sent; `again`: not for the first time.
    void read_begins(QpNum qp, Psn first, Psn end, bool again = false);
    // The number of Reads answered for the first time.
    [[nodiscard]] std::size_t new_reads(QpNum qp) const { return of(qp).state.new_reads(); }
    // The last Read but `behind` gets no responses from `psn` on, and later ones get none at all; a NAK follows.
    void cut_reads(QpNum qp, Psn psn, std::size_t behind);
    // As cut_reads(), but later Reads are answered, and no NAK follows.
    void cut_repeated_read(QpNum qp, Psn psn, std::size_t behind);
    // The queue pair has failed: the peer gets no responses any more, and no NAK that has not left.
    void give_up(QpNum qp);

    std::optional<Packet> make_ack(QpNum qp) override;
    void response_sent(const Packet& packet) override;
    // Negative acknowledgements made so far.
    [[nodiscard]] std::uint64_t naks() const { return naks_; }

private:
    // The answers of one queue pair.
    struct Peer {
        QpNum qp{};
        HostId host{};
        bool gets_credits = false;
        std::uint32_t msn = 0;
        AckState state;
        QpWatch* watch = nullptr;
        ShownLevel shown_reads;
    };

    [[nodiscard]] Peer& of(QpNum qp) { return peers_[qp_index(qp)]; }
    [[nodiscard]] const Peer& of(QpNum qp) const { return peers_[qp_index(qp)]; }
    void show_reads(Peer& peer);

    const Unit& owner_;
    const Picoseconds tx_pipe_;
    sc_core::sc_port<EgressPort>& egress_;
    sc_core::sc_port<ReceiveQueuePort>& receives_;
    std::vector<Peer> peers_;
    std::uint64_t naks_ = 0;
};

}  // namespace ndsim
