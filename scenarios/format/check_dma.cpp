// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/checks.hpp"
#include "scenarios/format/read.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::format {

void check_dma(const Scenario& scenario, Checker& check) {
    for (const DmaLoad& load : scenario.dma) {
        const std::string path = "dma." + load.name;
        if (!check.is_sound(path)) {
            continue;
        }
        if (find_named(scenario.hosts, load.host) == nullptr) {
            check.missing(path + ".host", "host", load.host, names_of(scenario.hosts));
        }
        const DmaGeneratorParams& params = load.params;
        if (params.units() == 0) {
            check.wrong(path + ".window",
                        to_text(params.window) + " have no room for a transfer, which takes " + to_text(params.unit()),
                        "whole lines of 64 B, from the offset on");
        }
    }
}

}  // namespace ndsim::format
