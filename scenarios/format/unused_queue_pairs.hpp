// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"

namespace ndsim {

// Something valid in a file that was probably not intended.
struct Hint {
    Position at;
    std::string path;
    std::string what;  // a sentence without a full stop
};

// A queue pair not written down is created where a program names one of its completion queues. If nothing is ever
// posted to it or its peer, while the host has others, the name was probably mistyped. Each first use gets a hint.
[[nodiscard]] std::vector<Hint> hints_of(const Scenario& scenario);

}  // namespace ndsim
