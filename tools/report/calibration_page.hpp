// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim::report {

// The page of a folder of ndsim calibrate: the distance of each measured figure from the simulated one, before and
// after the fit; the place of each fitted parameter in its range; and what the measurements leave open. The same
// calibration makes the same bytes. cli::UsageError if the folder's format is not this version's.
[[nodiscard]] std::string calibration_page(const std::string& folder);

}  // namespace ndsim::report
