// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/limit_proofs.hpp"

namespace ndsim::prove {

// Runs the scenario, and once more for each parameter that set one of its limits, with half as much more of it; those
// that bind and do nothing alone also together. Each run has a process of its own, and writes nothing.
[[nodiscard]] cli::LimitProofs prove_limits(const cli::ScenarioArguments& scenario);

}  // namespace ndsim::prove
