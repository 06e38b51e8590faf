// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ports/wire.hpp"
#include "models/proto/ledger.hpp"
#include "models/wire/wire_params.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/lane.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/state_times.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Ingress: the NIC's receiver. A packet goes through the receive pipeline and stays in the RX buffer until its
// payload is on PCIe. Before the buffer can overflow, a pause frame stops the peer's port.
class Ingress final : public Unit, public PacketSink, public RxBufferPort {
public:
    sc_core::sc_export<PacketSink> in{"in"};
    sc_core::sc_export<RxBufferPort> buffer{"buffer"};
    sc_core::sc_port<TransportPort> transport{"transport"};
    // The sender at the other end, and our own lane to it, for its flight time; none without a cable.
    sc_core::sc_port<PausePort, 1, sc_core::SC_ZERO_OR_MORE_BOUND> peer{"peer"};
    sc_core::sc_port<LanePort, 1, sc_core::SC_ZERO_OR_MORE_BOUND> back{"back"};
    sc_core::sc_port<LaneTap, 0, sc_core::SC_ZERO_OR_MORE_BOUND> taps{"taps"};  // whoever watches

    Ingress(const sc_core::sc_module_name& name, Timeline& timeline, const PortParams& params, PayloadPool& payloads);

    void arrive(const Packet& packet, Interval at) override;
    void drained(Bytes bytes, Picoseconds when) override;
    [[nodiscard]] std::uint64_t packets() const { return packets_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // preamble and gap included
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    struct Arrival {
        Packet packet;
        Picoseconds last{};
    };

    void processed(const Arrival& arrival);  // Agenda: a packet is through the pipeline
    void look_for_room(const int& nothing);  // Lane: the buffer may be empty enough to let the peer go on

    [[nodiscard]] std::uint64_t headroom() const;

    const PortParams params_;
    PayloadPool& payloads_;
    Agenda<Arrival, &Ingress::processed> pipeline_;  // packets may have overtaken each other
    Lane<int, &Ingress::look_for_room> looks_;
    bool holds_peer_ = false;
    bool look_pending_ = false;
    StateTimes peer_times_;
    Pool rx_buffer_;
    Probe<std::uint8_t> packet_{*this, "packet", "packet that came through the pipeline last", lane_states()};
    std::uint64_t packets_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t pauses_ = 0;
    std::uint64_t damaged_ = 0;
    std::uint64_t overflows_ = 0;
};

}  // namespace ndsim
