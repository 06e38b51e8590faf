// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/forecast/forecast.hpp"

namespace ndsim::test {

// Runs a scenario in a process of its own, and holds what comes of it against what was foreseen: everything that will
// be has come true, and if nothing was foreseen and nothing left out, nothing has failed. What differs, a line for each
// thing; empty if it agrees.
[[nodiscard]] std::string differences(const std::string& text, const Forecast& forecast,
                                      const std::string& file = "draft.json");

}  // namespace ndsim::test
