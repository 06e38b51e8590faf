// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ports/lane.hpp"
#include "models/wire/fault_params.hpp"
#include "sim/base/exact_rate.hpp"
#include "sim/base/rng.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/probe.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// LaneFaults: the effect of a bad cable, or a bad switch, on one direction of a link. It is between the lane and the
// receiver, and loses, damages, repeats or delays packets by its rules.
class LaneFaults final : public Unit, public PacketSink {
public:
    sc_core::sc_export<PacketSink> in{"in"};
    sc_core::sc_port<PacketSink> out{"out"};
    sc_core::sc_port<LaneTap, 0, sc_core::SC_ZERO_OR_MORE_BOUND> taps{"taps"};  // any watchers

    // `rate` is that of the lane.
    LaneFaults(const sc_core::sc_module_name& name, Timeline& timeline, Bandwidth rate, std::vector<FaultRule> rules,
               std::uint64_t seed, PayloadPool& payloads);

    void arrive(const Packet& packet, Interval at) override;
    // Whether a rule makes more packets arrive within a time than the lane carries in it.
    [[nodiscard]] bool bunches() const;
    // Whether no rule can apply any more.
    [[nodiscard]] bool is_over() const;
    void report(StatSink& sink) const override;

private:
    // A rule, and how many packets matched it.
    struct Rule {
        FaultRule what;
        std::uint64_t matched = 0;
    };
    // A packet held back until another overtakes it.
    struct Held {
        Packet packet;
        Interval at;       // its arrival without the fault
        Interval at_last;  // its arrival if nothing overtakes it
        std::uint64_t number = 0;
    };

    // The first rule that applies to the packet.
    [[nodiscard]] const FaultRule* strikes(const Packet& packet);
    void apply(const FaultRule& rule, const Packet& packet, Interval at);
    void pass(const Packet& packet, Interval at);
    void let_go();
    void waited_enough(const std::uint64_t& number);  // Agenda: nothing has overtaken the held packet

    const ExactRate rate_;
    std::vector<Rule> rules_;
    Rng random_;
    PayloadPool& payloads_;
    std::vector<Held> held_;  // until another packet overtakes them
    std::uint64_t last_held_ = 0;
    Picoseconds passed_{};  // end of the last packet that passed
    Agenda<std::uint64_t, &LaneFaults::waited_enough> patience_;
    Probe<std::uint8_t> fault_{*this, "fault", "what happened to the packet that left last", kFaultStates};
    std::array<std::uint64_t, kLinkFaultNames.size()> counts_{};

    static constexpr std::array<std::string_view, 6> kFaultStates{"none",      "drop",  "corrupt",
                                                                  "duplicate", "delay", "reorder"};
};

}  // namespace ndsim
