// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tools/calibrate/calibration.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::calibrate {

// The measurements beside the model's figures, and the fitted parameters.
[[nodiscard]] std::string calibration_text(const Question& question, const Calibration& calibration,
                                           const cli::Paint& paint);

}  // namespace ndsim::calibrate
