// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/probe.hpp"

#include "sim/kernel/unit.hpp"

namespace ndsim {

ProbeBase::ProbeBase(Unit& owner, std::string_view name, std::string_view sentence, unsigned bits,
                     std::span<const std::string_view> states)
    : name_(name), sentence_(sentence), bits_(bits), states_(states) {
    owner.probes_.push_back(this);
}

}  // namespace ndsim
