// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/result/run_result.hpp"
#include "scenarios/run/software.hpp"

namespace ndsim {

// The outcome of a run whose timeline has ended like that.
[[nodiscard]] RunOutcome outcome_of(RunEnd end, const Software& software);
// Why a run with that outcome did not finish, and who waits for what; empty if it did.
[[nodiscard]] std::string why(RunOutcome outcome, const Software& software, const Scenario& scenario);

}  // namespace ndsim
