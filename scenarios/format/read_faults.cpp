// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scenarios/format/names.hpp"
#include "scenarios/format/read.hpp"

namespace ndsim::format {

void read_faults(const Place& root, Scenario& scenario) {
    for_each_item(root, "faults", [&](const Place& item) {
        const Section& all = section("fault");
        const Section* const variant = variant_of(all, item.node);
        if (variant == nullptr) {
            refuse_variant(item, all, "a fault");
            return;
        }
        Fault fault;
        const auto kind = std::find(kFaultKindNames.begin(), kFaultKindNames.end(), variant->verb);
        fault.kind = static_cast<FaultKind>(kind - kFaultKindNames.begin());
        if (fault.is_of_packets()) {
            fault.rule.fault = static_cast<LinkFault>(fault.kind);
            read_section(fault.rule, item, variant->name);
            fault.link = read_text(item, "link").value_or("");
            if (const auto opcode = read_choice(item, "opcode", kPacketNames)) {
                fault.rule.opcode = kPacketOpcodes[*opcode];
            }
        } else {
            read_section(fault.outage, item, variant->name);
        }
        fault.target = read_text(item, variant->verb).value_or("");
        scenario.faults.push_back(std::move(fault));
    });
}

}  // namespace ndsim::format
