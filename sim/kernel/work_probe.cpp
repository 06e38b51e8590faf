// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/work_probe.hpp"

#include "sim/kernel/unit.hpp"

namespace ndsim {

WorkProbe::WorkProbe(Unit& owner, std::string_view name, std::string_view sentence) : name_(name), sentence_(sentence) {
    owner.work_probes_.push_back(this);
}

}  // namespace ndsim
