// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <systemc>

#include "models/ports/arm.hpp"
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

}  // namespace ndsim
