// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/probe.hpp"

#include "sim/kernel/unit.hpp"

namespace ndsim {

ProbeBase::ProbeBase(Unit& owner, std::string_view name, std::string_view sentence, unsigned bits,
                     std::span<const std::string_view> states, bool shows_requests)
    : name_(name), sentence_(sentence), bits_(bits), shows_requests_(shows_requests), states_(states) {
    owner.probes_.push_back(this);
}

void ProbeBase::tell(std::uint64_t value, Picoseconds at) {
    if (value == shown_) {
        return;
    }
    shown_ = value;
    for (std::size_t i = listeners_.size(); i-- > 0;) {  // backwards: a sink may detach itself
        listeners_[i].sink->change(listeners_[i].signal, at, value);
    }
}

}  // namespace ndsim
