// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim::report {

// The page of a folder of ndsim calibrate: how far each measured figure is from the simulated one, before the fit and
// after it; where each fitted parameter stays within its range; and what the measurements leave open. The same
// calibration makes the same bytes. cli::UsageError if that is not what this version writes.
[[nodiscard]] std::string calibration_page(const std::string& folder);

}  // namespace ndsim::report
