// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <systemc>

#include "models/proto/packet.hpp"
#include "sim/base/exact_rate.hpp"

namespace ndsim {

// Makes an acknowledgement when its turn on the lane comes, so that it covers everything accepted until then.
class AckSource : public virtual sc_core::sc_interface {
public:
    // None if nothing is to be said before a response has left.
    virtual std::optional<Packet> make_ack(QpNum qp) = 0;
    // A response of a Read enters the lane.
    virtual void response_sent(const Packet& packet) = 0;
};

// Learns when the requests that the peer has to answer have left.
class RequestSentPort : public virtual sc_core::sc_interface {
public:
    // The last byte of a packet that asks for an acknowledgement, or of a Read, leaves the NIC at `at`.
    virtual void request_sent(const Packet& packet, Picoseconds at) = 0;
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
    // Whether the TX FIFO has room for a packet. If not, TxRoomPort::tx_room() follows.
    [[nodiscard]] virtual bool has_room(Bytes wire_bytes) = 0;
    virtual void reserve(Bytes wire_bytes) = 0;                    // for a packet for which there is room now
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

}  // namespace ndsim
