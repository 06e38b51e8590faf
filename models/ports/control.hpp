// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <systemc>
#include <variant>

#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/queues.hpp"
#include "models/ports/srq.hpp"
#include "models/proto/packet.hpp"

namespace ndsim {

// Commands of the control path.
struct ConnectQp {
    QpNum qp{};
    QpConnection connection;
    bool before_run = false;  // of a connection that counts as made before the run
};
struct FailQp {
    QpNum qp{};
    WcStatus oldest = WcStatus::wr_flush;  // how its oldest request of the send queue ends
    // What the send queue holds, as a doorbell says it: deferred requests are flushed without one.
    std::uint32_t producer = 0;
    std::uint32_t entries = 0;
    std::uint32_t receives = 0;  // the same of the receive queue; 0: doorbells say it
};
struct DestroyQp {
    QpNum qp{};
};
struct DestroyCq {
    CqNum cq{};
};
struct DestroySrq {
    SrqNum srq{};
};
struct ResizeCq {
    CqResize resize;
    bool* taken = nullptr;  // in software's memory: whether the queue did
};
struct ModerateCq {
    CqNum cq{};
    Moderation moderation;
};
// The region or window is gone.
struct DestroyKey {
    MrKey key{};
};
// A connection-management datagram to a host; its bytes are a management datagram of 256 bytes.
struct SendDatagram {
    static constexpr std::size_t kBytes = 256;
    HostId to{};
    std::array<std::byte, kBytes> bytes{};
};
using Command =
    std::variant<CqAttributes, SrqAttributes, QpAttributes, ConnectQp, ModifySrq, FailQp, DestroyQp, DestroySrq,
                 DestroyCq, ResizeCq, ModerateCq, MemoryRegion, FreeKey, DestroyKey, SendDatagram>;

// The command interface of the NIC.
class ControlPort : public virtual sc_core::sc_interface {
public:
    // Issued by software at `at`; `done` is called when the NIC has answered.
    virtual void submit(Picoseconds at, Command command, std::function<void()> done) = 0;
    // A command for a queue pair that has failed. It is answered when nothing of it is under way any more: every
    // request has ended, and payload and CQEs are in host memory. The NIC says so with an event of kEventBytes.
    virtual void quiesce(Picoseconds at, QpNum qp, Address event, std::function<void()> done) = 0;
    static constexpr std::uint32_t kEventBytes = 64;
};

// Where the completion engine reports an overrun.
class CqFaultPort : public virtual sc_core::sc_interface {
public:
    virtual void cq_failed(CqNum cq) = 0;
};

// Where a management datagram goes that came from the wire. The payload now belongs to the receiver of the call.
class DatagramPort : public virtual sc_core::sc_interface {
public:
    virtual void datagram_arrived(const Packet& packet) = 0;
};

// What the NIC reports on its own, as an event with an interrupt.
class HostEvents : public virtual sc_core::sc_interface {
public:
    virtual void qp_error(QpNum qp, WcStatus why) = 0;
    virtual void cq_error(CqNum cq) = 0;
    virtual void srq_limit(SrqNum srq) = 0;
    virtual void datagram(std::span<const std::byte> bytes) = 0;
};

}  // namespace ndsim
