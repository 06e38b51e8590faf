// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ports/control.hpp"
#include "models/ports/wire.hpp"
#include "models/transport/completer.hpp"
#include "models/transport/responder.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Receiver: sorts what comes through the receive pipeline: requests to the responder, acknowledgements to the
// completer, management datagrams to the control unit.
class Receiver final : public Unit, public TransportPort {
public:
    sc_core::sc_export<TransportPort> in{"in"};
    sc_core::sc_port<RxBufferPort> rx_buffer{"rx_buffer"};
    sc_core::sc_port<DatagramPort> datagrams{"datagrams"};

    Receiver(const sc_core::sc_module_name& name, Timeline& timeline, Responder& responder, Completer& completer);

    void receive(const Packet& packet, Interval at) override;

private:
    Responder& responder_;
    Completer& completer_;
};

}  // namespace ndsim
