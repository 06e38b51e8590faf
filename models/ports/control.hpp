// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <systemc>
#include <variant>

#include "models/ports/completions.hpp"
#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/srq.hpp"
#include "models/proto/packet.hpp"

namespace ndsim {

// Commands of the control path.
struct ConnectQp {
    QpNum qp{};
    QpConnection connection;
    bool before_run = false;  // the connection counts as made before the run
};
// Puts a queue pair into the error state.
struct FailQp {
    QpNum qp{};
    WcStatus oldest = WcStatus::wr_flush;  // how the oldest request of the send queue ends
    // End of the send queue, as in a doorbell: deferred requests are flushed without one.
    std::uint32_t producer = 0;
    std::uint32_t entries = 0;
    std::uint32_t receives = 0;  // as above, for the receive queue; 0: doorbells say it
};
// Ends the life of a queue pair.
struct DestroyQp {
    QpNum qp{};
};
// Ends the life of a completion queue.
struct DestroyCq {
    CqNum cq{};
};
// Ends the life of a shared receive queue.
struct DestroySrq {
    SrqNum srq{};
};
// Moves a completion queue to another ring.
struct ResizeCq {
    CqResize resize;
    bool* taken = nullptr;  // in software's memory: whether the resize was done
};
// Sets the interrupt moderation of a completion queue.
struct ModerateCq {
    CqNum cq{};
    Moderation moderation;
};
// Removes a region or window.
struct DestroyKey {
    MrKey key{};
};
// A connection-management datagram to a host, a MAD of 256 bytes.
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
    // Software issues the command at `at`; `done` is called when the NIC has answered.
    virtual void submit(Picoseconds at, Command command, std::function<void()> done) = 0;
    // A command for a failed queue pair. It is answered when the queue pair is quiet: every request has ended, and
    // payload and CQEs are in host memory. The NIC says so with an event of kEventBytes.
    virtual void quiesce(Picoseconds at, QpNum qp, Address event, std::function<void()> done) = 0;
    static constexpr std::uint32_t kEventBytes = 64;
};

// The completion engine reports an overrun here.
class CqFaultPort : public virtual sc_core::sc_interface {
public:
    virtual void cq_failed(CqNum cq) = 0;
};

// Takes a management datagram from the wire. The payload then belongs to the receiver of the call.
class DatagramPort : public virtual sc_core::sc_interface {
public:
    virtual void datagram_arrived(const Packet& packet) = 0;
};

// Events that the NIC reports on its own, with an interrupt.
class HostEvents : public virtual sc_core::sc_interface {
public:
    virtual void qp_error(QpNum qp, WcStatus why) = 0;
    virtual void cq_error(CqNum cq) = 0;
    virtual void srq_limit(SrqNum srq) = 0;
    virtual void datagram(std::span<const std::byte> bytes) = 0;
};

}  // namespace ndsim
