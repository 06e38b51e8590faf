// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ports/context.hpp"
#include "models/ports/control.hpp"
#include "models/ports/ingress.hpp"
#include "models/transport/completer.hpp"
#include "models/transport/parked_packets.hpp"
#include "models/transport/responder.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Receiver: sorts packets from the receive pipeline: requests to the responder, acknowledgements and responses to the
// completer, management datagrams to the control unit. Packets of a queue pair without a cached context stay in the RX
// buffer, and other packets pass them.
class Receiver final : public Unit, public TransportPort, private ContextClient {
public:
    static constexpr PoolFacts kParkedPool{"parked", "packets that wait for a context", PoolUnit::packets};

    sc_core::sc_export<TransportPort> in{"in"};
    sc_core::sc_port<RxBufferPort> rx_buffer{"rx_buffer"};
    sc_core::sc_port<DatagramPort> datagrams{"datagrams"};
    sc_core::sc_port<ContextPort> context{"context"};

    Receiver(const sc_core::sc_module_name& name, Timeline& timeline, Ledgers& ledgers, Responder& responder,
             Completer& completer);

    void receive(const Packet& packet, Interval at) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    void context_ready(QpNum qp) override;
    void sort(const Packet& packet, Interval at);

    Ledgers& ledgers_;
    Responder& responder_;
    Completer& completer_;
    ParkedPackets parked_;  // waiting for their contexts
    Pool parked_packets_;
    std::uint64_t parked_count_ = 0;
};

}  // namespace ndsim
