// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "models/proto/packet.hpp"
#include "sim/base/exact_rate.hpp"

namespace ndsim {

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
