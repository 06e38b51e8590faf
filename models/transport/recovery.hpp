// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/requests.hpp"
#include "models/transport/psn_windows.hpp"
#include "models/transport/retransmit_buffer.hpp"
#include "models/transport/send_gate.hpp"
#include "models/transport/transport_params.hpp"
#include "sim/kernel/agenda.hpp"

namespace ndsim {

// The owner of the requests that are sent again.
class RecoveryOwner {
public:
    [[nodiscard]] virtual bool has_failed(QpNum qp) const = 0;
    // Whether a request of the queue pair has unacknowledged or unanswered packets.
    [[nodiscard]] virtual bool has_open(QpNum qp) = 0;
    // The requests that do not end before `psn` are to be begun again; without `psn`, all of them. Returns the place of
    // the first of them in the send queue.
    [[nodiscard]] virtual std::uint32_t rewind_requests(QpNum qp, std::optional<Psn> psn) = 0;
    // From now on the queue pair's requests wait for this.
    virtual void charge(QpNum qp, Account why) = 0;
    // All retries are used up: the oldest request fails.
    virtual void give_up(QpNum qp, WcStatus status) = 0;

protected:
    ~RecoveryOwner() = default;
};

// A queue pair that a peer without a receive has refused, without progress since.
struct RefusedQueuePair {
    QpNum qp{};
    std::uint32_t times = 0;  // in a row
    Picoseconds last{};
    bool for_ever = false;  // it retries for ever
};

// Recovery: how requests are sent again. It asks for everything from the oldest open request on (go-back-N) after a
// NAK, a pause that the peer wanted, or a timeout, and gives up after the agreed number of attempts.
class Recovery {
public:
    Recovery(Timeline& timeline, const TransportParams& params, RecoveryOwner& owner, PsnWindows& windows,
             RetransmitBuffer& kept, SendGate& gate, sc_core::sc_port<WorkPort>& work);

    void create(QpNum qp);
    void connect(QpNum qp, const QpConnection& connection);
    // Nothing of the queue pair is sent again.
    void stop(QpNum qp);

    // The peer missed something [X13, X14].
    void send_again(QpNum qp, Account why);
    // The peer has no receive, and wants a pause of this timer code.
    void not_ready(QpNum qp, std::uint8_t code);
    // Something was sent again without progress so far.
    [[nodiscard]] bool is_under_way(QpNum qp) const { return attempts_[qp_index(qp)].recovering; }
    // The peer has answered something new.
    void progress(QpNum qp);
    // Unanswered packets have to be sent from here on. An answer is expected even if the lane takes none of them.
    void go_back(QpNum qp);
    // A packet is issued.
    void sent(QpNum qp) {
        of(qp).none_issued = false;
        if (of(qp).none_asked) {
            of(qp).deadline = timeline_.now() + timeout_;
        }
    }
    // A packet with PSNs [first, end) leaves at `at` that the peer has to answer: from then on the answer must come.
    void asked(QpNum qp, Psn first, Psn end, Picoseconds at);
    // If something unanswered has been asked for, an answer must come from now on, if not so already.
    void expect_answer(QpNum qp);

    [[nodiscard]] std::vector<RefusedQueuePair> refused() const;
    [[nodiscard]] std::uint64_t rnr_naks() const { return rnr_naks_; }
    [[nodiscard]] std::uint64_t timeouts() const { return timeouts_; }
    [[nodiscard]] std::uint64_t rewinds() const { return rewinds_; }

private:
    // The state of recovery of one queue pair.
    struct Attempts {
        QpNum qp{};
        bool recovering = false;
        std::uint32_t retries = 0;    // without progress
        std::uint32_t rnr_retry = 0;  // RNR NAKs in a row before it gives up
        std::uint32_t rnr_naks = 0;   // without progress
        Picoseconds refused_at{};     // time of the last of them
        bool none_asked = false;   // since it went back: until a packet that asks has left, time runs from the last one
        bool none_issued = false;  // since it went back
        bool timing = false;
        bool in_timers = false;
        Picoseconds deadline{};
        Psn asked;  // behind the last packet that has left and asks
    };

    void times_out(const QpNum& qp);  // Agenda: the answer may be overdue
    [[nodiscard]] bool waits_for_own_nic(const Attempts& attempts) const;
    void peer_is_ready(const QpNum& qp);  // Agenda: the time that an RNR NAK asked for is over
    void rewind(QpNum qp, Account why);
    void wait_from(QpNum qp, Picoseconds begin);
    void stop_timer(QpNum qp);
    [[nodiscard]] Attempts& of(QpNum qp) { return attempts_[qp_index(qp)]; }

    Timeline& timeline_;
    const std::uint32_t retry_count_;
    const Picoseconds timeout_;
    RecoveryOwner& owner_;
    PsnWindows& windows_;
    RetransmitBuffer& kept_;
    SendGate& gate_;
    sc_core::sc_port<WorkPort>& work_;
    std::vector<Attempts> attempts_;
    std::uint32_t timing_ = 0;  // queue pairs with a deadline
    Picoseconds last_left_{};   // when a request that asks for an answer left, or will leave, of any queue pair
    Agenda<QpNum, &Recovery::times_out> timers_;
    Agenda<QpNum, &Recovery::peer_is_ready> rnr_timers_;
    std::uint64_t rnr_naks_ = 0;
    std::uint64_t timeouts_ = 0;
    std::uint64_t rewinds_ = 0;
};

}  // namespace ndsim
