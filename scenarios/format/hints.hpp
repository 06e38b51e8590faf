// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"

namespace ndsim {

// What a file may say, but was hardly meant.
struct Hint {
    Position at;
    std::string path;
    std::string what;  // a sentence without a full stop
};

// A queue pair that is not written down comes into being where a program names one of its completion queues. If nothing
// is ever posted to it or to its peer, while the host has others, its name was probably mistyped: each first use.
[[nodiscard]] std::vector<Hint> hints_of(const Scenario& scenario);

}  // namespace ndsim
