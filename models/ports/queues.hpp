// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <systemc>

#include "models/ledger/stall.hpp"
#include "models/ports/arm.hpp"
#include "models/proto/cqe.hpp"
#include "models/proto/wqe.hpp"
#include "sim/base/exact_rate.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/payload_pool.hpp"

namespace ndsim {

// Decoded: the send queue holds work up to `producer` (in units, absolute). The last `pushed_units` of it may be in
// `pushed`, which then belongs to the receiver. `entries` is the number of requests up to there, for the watch.
struct SqDoorbell {
    QpNum qp{};
    std::uint32_t producer = 0;
    PayloadRef pushed = PayloadRef::none;
    std::uint32_t pushed_units = 0;
    std::uint32_t entries = 0;
};

// Takes decoded doorbells of send queues.
class SqDoorbellPort : public virtual sc_core::sc_interface {
public:
    virtual void sq_doorbell(const SqDoorbell& doorbell) = 0;
    // The queue pair's doorbell record; nothing if software keeps none, or the queue pair is gone.
    [[nodiscard]] virtual std::optional<Address> record_of(QpNum) const { return {}; }
};
// Takes decoded doorbells of receive queues and shared receive queues.
class RqDoorbellPort : public virtual sc_core::sc_interface {
public:
    // `producer` counts entries, absolute.
    virtual void rq_doorbell(QpNum qp, std::uint32_t producer) = 0;
    virtual void srq_doorbell(SrqNum srq, std::uint32_t producer) = 0;
    [[nodiscard]] virtual std::optional<Address> record_of(SrqNum) const { return {}; }
};

// The doorbell unit, for a unit that needs more than doorbells have told it.
class DoorbellRecordPort : public virtual sc_core::sc_interface {
public:
    // Reads the queue pair's record. rq_doorbell() follows with its content, even if that is not new.
    virtual void read_receive_record(QpNum qp) = 0;
};

// Asks for one interrupt. Entries up to `seen` are no news; an entry behind them meets the wish at once. `serial` is
// the number of notifications that software has had: if there were more interrupts, one is on its way and answers this.
struct CqArm {
    CqNum cq{};
    Arm wish = Arm::none;
    std::uint32_t consumer = 0;
    std::uint32_t seen = 0;
    std::uint32_t serial = 0;
};
// Takes consumer indices and arms of completion queues.
class CqDoorbellPort : public virtual sc_core::sc_interface {
public:
    virtual void consumer_index(CqNum cq, std::uint32_t consumer) = 0;
    virtual void arm(const CqArm& arm) = 0;
    [[nodiscard]] virtual std::optional<Address> record_of(CqNum) const { return {}; }
};

// Decides which requests may begin.
class SendGatePort : public virtual sc_core::sc_interface {
public:
    // Why the queue pair, which has no message under way, cannot start this one; resume_qp() follows.
    [[nodiscard]] virtual Stall may_begin(QpNum qp, const Wqe& wqe) = 0;
};

// The requester, as the work-queue engine drives it: one packet at a time.
class RequesterPort : public virtual sc_core::sc_interface {
public:
    enum class Turn : std::uint8_t { blocked, packet, message_done };
    // The outcome of a turn, and what blocked it.
    struct Result {
        Turn turn = Turn::blocked;
        Stall stall = Stall::none;
    };
    // Starts the WQE, or continues it behind its acknowledged packets. The WQE stays valid until message_done. If it
    // sends no packet, returns when its slot is free; otherwise message_built() follows.
    [[nodiscard]] virtual std::optional<Picoseconds> begin(QpNum qp, const Wqe& wqe) = 0;
    // Issues the next packet of the message under way.
    virtual Result issue(QpNum qp) = 0;
    // The next work of a queue pair after rewind().
    struct Rewound {
        bool repeats = false;    // the next packet, and perhaps some that follow, are sent again by repeat()
        bool slot_free = false;  // a message was under way whose slot is free now
    };
    // Ends everything of `qp` under way: the next packet is the oldest unacknowledged one. The next message begins, or
    // continues, behind the packets of repeat().
    [[nodiscard]] virtual Rewound rewind(QpNum qp) = 0;
    // Issues the next packet that was kept and so needs no WQE. message_done: there are no more of them, or there were
    // none.
    virtual Result repeat(QpNum qp) = 0;
    // Does not execute the WQE: it completes as flushed, behind outstanding requests.
    virtual void flush(QpNum qp, const Wqe& wqe) = 0;
};

// The work-queue engine, for the units that it waits for. They call it when something has happened, but not while it is
// calling them; only message_built() may come at any time.
class WorkPort : public virtual sc_core::sc_interface {
public:
    // There may be room, or tags, for a packet that was refused.
    virtual void resume() = 0;
    // The queue pair may go on, since what it alone waited for may be there, or it has failed.
    virtual void resume_qp(QpNum qp) = 0;
    // The queue pair has to send again. The first request that needs its WQE for that is at `place` of the send queue
    // (in units, absolute).
    virtual void rewind(QpNum qp, std::uint32_t place) = 0;
    // The last packet of a message will be in the TX FIFO at `when`.
    virtual void message_built(Picoseconds when) = 0;
};

// The outcome of asking for a receive.
enum class ReceiveTake : std::uint8_t { taken, under_way, none_posted };

// The receive queues, as the responder takes receives from them.
class ReceiveQueuePort : public virtual sc_core::sc_interface {
public:
    // Takes the oldest receive of the QP, or of the queue that it shares. under_way: posted, but still being fetched;
    // receive_ready() follows.
    virtual ReceiveTake take(QpNum qp, Wqe& into) = 0;
    // Receives of the QP that are posted and not taken.
    [[nodiscard]] virtual std::uint32_t posted(QpNum qp) const = 0;
};
// Hears that a receive has been fetched, or that there is none.
class ReceiveReadyPort : public virtual sc_core::sc_interface {
public:
    virtual void receive_ready(QpNum qp) = 0;
};

// The completion engine.
class CompletionPort : public virtual sc_core::sc_interface {
public:
    // Writes a CQE. It is ready at `at`; behind_payload keeps it behind all bulk writes given to DMA so far.
    virtual void complete(CqNum cq, const Cqe& cqe, Picoseconds at, bool behind_payload) = 0;
    // Writes to `to`, ready at `at`, that the requests of a send queue before number `head` have succeeded.
    virtual void write_head(Address to, std::uint32_t head, Picoseconds at) = 0;
};

class CqWatch;

// A completion queue is created with these.
struct CqAttributes {
    CqNum cq{};
    Address ring{};
    std::uint32_t entries = 0;  // of the ring: a power of two, so that absolute indices may wrap; more than `limit`
    std::uint32_t limit = 0;    // entries that may be there unconsumed; one more is an overrun
    std::uint32_t vector = 0;
    CqWatch* watch = nullptr;            // counts its entries, if there is one
    Address record{};                    // the doorbell record: software's consumer index, and its last arm
    bool failures_are_errors = false;    // a failed request, too, meets an arm for errors
    bool reports_invalidations = false;  // a key that a message invalidates has its own entry before the receive's
};

// Another ring for a queue, for all later entries.
struct CqResize {
    CqNum cq{};
    Address ring{};
    std::uint32_t entries = 0;
    std::uint32_t limit = 0;
    std::uint32_t consumer = 0;  // software's index when it asked
};

// How long the interrupt of an armed queue may wait for more entries: `interval` after the entry that met the arm, or
// until there are `count` entries, that one included, whichever comes first. Without limits it does not wait.
struct Moderation {
    std::optional<Picoseconds> interval;
    std::optional<std::uint32_t> count;

    [[nodiscard]] bool is_on() const { return interval || count; }
};

// The life of completion queues: creation, changes, destruction.
class CqLifecycle : public virtual sc_core::sc_interface {
public:
    virtual void create_cq(const CqAttributes& attributes) = 0;
    // False if more entries than the new limit are unpolled, as far as the NIC knows; nothing changes then.
    [[nodiscard]] virtual bool resize_cq(const CqResize& resize) = 0;
    virtual void moderate_cq(CqNum cq, const Moderation& moderation) = 0;
    virtual void destroy_cq(CqNum cq) = 0;
    // Whether entries of a queue that seems full are held back.
    [[nodiscard]] virtual bool holds_back() const = 0;
};

}  // namespace ndsim
