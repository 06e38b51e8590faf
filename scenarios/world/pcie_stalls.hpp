// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "models/pcie/pcie_link.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// PcieStalls: stops PCIe links at the times set by a scenario.
class PcieStalls final : public Unit {
public:
    PcieStalls(const sc_core::sc_module_name& name, Timeline& timeline)
        : Unit(name, timeline), begins_(*this, timeline, 0) {}

    void add(Interval span, PcieLink& link) { begins_.push(span.start, {&link, span.end}); }

private:
    using Stall = std::pair<PcieLink*, Picoseconds>;
    void begin(const Stall& stall) { stall.first->stall(stall.second); }

    Agenda<Stall, &PcieStalls::begin> begins_;
};

}  // namespace ndsim
