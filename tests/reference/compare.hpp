// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/model.hpp"

namespace ndsim::reference {

// Runs a settled program on the simulator, in a process of its own, and holds what comes of it against the prediction.
// What differs, a line for each thing; empty if they agree.
[[nodiscard]] std::string differences(const Program& program, const Prediction& prediction);

}  // namespace ndsim::reference
