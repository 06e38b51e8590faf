// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/measure/metrics.hpp"

namespace ndsim::inspect {

// How far the second figure is from the first, with a sign and a unit; "-" for different units.
[[nodiscard]] std::string difference_text(const Metric& first, const Metric& second);
// The same relative to the first figure, in per cent; "-" if that says nothing.
[[nodiscard]] std::string percent_text(const Metric& first, const Metric& second);

}  // namespace ndsim::inspect
