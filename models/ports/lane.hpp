// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    // Packets wait here because the peer has asked this port to stop.
    [[nodiscard]] virtual bool holds_packets() const = 0;
};

}  // namespace ndsim
