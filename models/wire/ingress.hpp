// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parts/pause_sender.hpp"
#include "models/ports/ingress.hpp"
#include "models/ports/lane.hpp"
#include "models/wire/wire_params.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Ingress: the NIC's receiver. A packet goes through the receive pipeline and stays in the RX buffer until its
// payload is on PCIe. Before the buffer can overflow, a pause frame stops the peer's port.
class Ingress final : public Unit, public PacketSink, public RxBufferPort {
public:
    static constexpr PoolFacts kRxBufferPool{"rx_buffer", "bytes of the RX buffer in use", PoolUnit::bytes,
                                             "nic.rx_buffer", WhenFull::limit};

    sc_core::sc_export<PacketSink> in{"in"};
    sc_core::sc_export<RxBufferPort> buffer{"buffer"};
    sc_core::sc_port<TransportPort> transport{"transport"};
    // The sender at the other end, and our own lane to it, for its flight time; none without a cable.
    PauseSender::Peer peer{"peer"};
    PauseSender::Back back{"back"};
    sc_core::sc_port<LaneTap, 0, sc_core::SC_ZERO_OR_MORE_BOUND> taps{"taps"};  // any watchers

    Ingress(const sc_core::sc_module_name& name, Timeline& timeline, const PortParams& params, PayloadPool& payloads);

    void arrive(const Packet& packet, Interval at) override;
    void drained(Bytes bytes, Picoseconds when) override;
    // Faults of the lane bunch packets that were sent apart, or add some. No pause stops these, so the buffer may
    // overflow.
    void expect_bunches() { bunched_ = true; }
    [[nodiscard]] std::uint64_t packets() const { return packets_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  // preamble and gap included
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    // A packet in the receive pipeline.
    struct Arrival {
        Packet packet;
        Picoseconds last{};
    };

    void processed(const Arrival& arrival);  // Agenda: a packet is through the pipeline
    [[nodiscard]] bool take_room(Bytes bytes);

    const PortParams params_;
    PayloadPool& payloads_;
    Agenda<Arrival, &Ingress::processed> pipeline_;  // packets may overtake each other
    Pool rx_buffer_;
    PauseSender hold_;
    bool bunched_ = false;
    Probe<std::uint8_t> packet_{*this, "packet", "packet that came through the pipeline last", lane_states()};
    Probe<std::uint32_t> number_{*this, "number", "running number of that packet"};
    std::uint64_t packets_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t damaged_ = 0;
    std::uint64_t overflows_ = 0;
};

}  // namespace ndsim
