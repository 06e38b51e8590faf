// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ports/lane.hpp"
#include "models/wire/wire_params.hpp"
#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/probe.hpp"
#include "sim/kernel/request_probe.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Cable: one direction of a link. Clocks a packet onto the lane at line rate and hands it to the receiver after MACs
// and flight, in order. It takes a packet only when the previous one has left the lane.
class Cable final : public Unit, public LanePort {
public:
    sc_core::sc_export<LanePort> in{"in"};
    sc_core::sc_port<PacketSink> out{"out"};
    sc_core::sc_port<LaneTap, 0, sc_core::SC_ZERO_OR_MORE_BOUND> taps{"taps"};  // any watchers

    Cable(const sc_core::sc_module_name& name, Timeline& timeline, const LinkParams& params, Bytes forward_grain);

    Interval put(const Packet& packet) override;
    [[nodiscard]] Picoseconds free_at() const override { return lane_.free_at(); }
    [[nodiscard]] const ExactRate& rate() const override { return lane_.rate(); }
    [[nodiscard]] Framing framing() const override { return framing_; }
    [[nodiscard]] Picoseconds flight() const override { return flight_; }
    void report(StatSink& sink) const override;

private:
    const Picoseconds flight_;
    const Framing framing_;
    const Bytes forward_grain_;
    ExactServer lane_;
    EngineTimes times_;
    Probe<std::uint8_t> packet_{*this, "packet", "packet on the lane", lane_states()};
    Probe<std::uint32_t> number_{*this, "number", "running number of the packet on the lane"};
    Probe<std::uint32_t> psn_{*this, "psn", "PSN of the packet on the lane"};
    RequestProbe request_{*this, "request", "request that the packet belongs to"};
    std::uint64_t packets_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t payload_bytes_ = 0;
};

}  // namespace ndsim
