// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <systemc>

#include "models/ledger/stall.hpp"
#include "models/proto/wqe.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

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

}  // namespace ndsim
