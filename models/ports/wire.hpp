// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/proto/packet.hpp"
#include "sim/base/exact_rate.hpp"

namespace ndsim {

// The far end of a lane: the peer's receiver. Called when the packet starts, which is before it arrives.
class PacketSink : public virtual sc_core::sc_interface {
public:
    // The packet's forward grain is through the receiver's MAC at `at.start`, its last byte at `at.end`.
    virtual void arrive(const Packet& packet, Interval at) = 0;
};

// The lane of a cable, as the sender's port uses it.
class LanePort : public virtual sc_core::sc_interface {
public:
    // Clocks the packet out from now on; the lane must be free. Returns when the packet begins and ends on the lane.
    virtual Interval put(const Packet& packet) = 0;
    [[nodiscard]] virtual Picoseconds free_at() const = 0;
    [[nodiscard]] virtual const ExactRate& rate() const = 0;
    [[nodiscard]] virtual Framing framing() const = 0;
    // From the lane to behind the receiver's MAC.
    [[nodiscard]] virtual Picoseconds flight() const = 0;
};

// Watches a lane.
class LaneTap : public virtual sc_core::sc_interface {
public:
    // The packet is on the lane during `lane`. Its payload is that of the whole packet.
    virtual void sent(const Packet& packet, Interval lane) = 0;
    // The packet's forward grain is through the receiver's MAC at `at.start`, its last byte at `at.end`, now or later.
    virtual void arrives(const Packet& packet, Interval at) = 0;
    // The packet never arrives.
    virtual void lost(const Packet& /*packet*/) {}
};

// The way back on the same cable: the peer asks this port to stop sending, or to go on.
class PausePort : public virtual sc_core::sc_interface {
public:
    virtual void pause(bool stop, Picoseconds at) = 0;
};

// Makes an acknowledgement when its turn on the lane comes, so that it covers everything accepted until then.
class AckSource : public virtual sc_core::sc_interface {
public:
    virtual Packet make_ack(QpNum qp) = 0;
    // A response of a Read enters the lane.
    virtual void response_sent(const Packet& packet) = 0;
};

// A unit that may wait for room in the TX FIFO.
class TxRoomPort : public virtual sc_core::sc_interface {
public:
    // A refused packet may be tried again.
    virtual void tx_room() = 0;
};

// The NIC's transmitter.
class EgressPort : public virtual sc_core::sc_interface {
public:
    // Reserves room in the TX FIFO for a packet. False if there is none; then TxRoomPort::tx_room() follows.
    [[nodiscard]] virtual bool reserve(Bytes wire_bytes) = 0;
    virtual void release(Bytes wire_bytes) = 0;                    // a reserved packet will not come
    [[nodiscard]] virtual const ExactRate& lane_rate() const = 0;  // of the cable at the port
    [[nodiscard]] virtual Framing framing() const = 0;             // of that cable; packets have it when they come
    // Sends a request or response with room reserved: its first grain is built at `ready.start`, its last byte at
    // `ready.end`.
    virtual void send(const Packet& packet, Interval ready) = 0;
    // Sends a packet of the control path, which needs no room and is built at `ready`.
    virtual void send_control(const Packet& packet, Picoseconds ready) = 0;
    // An acknowledgement of `qp` is due from `ready` on. Several that wait together become one.
    virtual void send_ack(QpNum qp, Picoseconds ready) = 0;
};

// The transport, called by the receive pipeline at `at.start`.
class TransportPort : public virtual sc_core::sc_interface {
public:
    virtual void receive(const Packet& packet, Interval at) = 0;
};

// The RX buffer, which the transport empties.
class RxBufferPort : public virtual sc_core::sc_interface {
public:
    // `bytes` of a packet that receive() delivered leave the buffer at `when`.
    virtual void drained(Bytes bytes, Picoseconds when) = 0;
};

}  // namespace ndsim
