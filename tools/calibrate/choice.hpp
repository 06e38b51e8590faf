// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tools/calibrate/calibration.hpp"
#include "tools/calibrate/parameter.hpp"
#include "tools/calibrate/trials.hpp"

namespace ndsim::calibrate {

// The parameters to fit, the most important first.
struct Choice {
    std::vector<Parameter> parameters;
    std::vector<std::string> left;  // further estimates that matter, beyond the maximum number
};

// The parameters that the question names, or the estimates at whose ends a measured figure changes.
[[nodiscard]] Choice choose(const Question& question, Trials& trials, const std::vector<std::uint64_t>& before);

}  // namespace ndsim::calibrate
