// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "scenarios/measure/metrics.hpp"
#include "tools/inspect/comparison.hpp"

namespace ndsim::inspect {

// How far the second figure is from the first, with a sign and a unit; "-" for different units.
[[nodiscard]] std::string difference_text(const Metric& first, const Metric& second);
// The same relative to the first figure, in per cent; "-" if that says nothing.
[[nodiscard]] std::string percent_text(const Metric& first, const Metric& second);
// A value that differs, in the first and the second run: a time with its unit, any other value as JSON, "-" for none.
[[nodiscard]] std::array<std::string, 2> value_texts(const OtherPair& pair);

}  // namespace ndsim::inspect
