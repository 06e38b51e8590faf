// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace ndsim::calibrate {

// The x of matrix x = right, for a square matrix; 0 for an unknown on which nothing depends.
[[nodiscard]] std::vector<double> solution_of(std::vector<std::vector<double>> matrix, std::vector<double> right);

}  // namespace ndsim::calibrate
