// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/limit_proofs.hpp"

namespace ndsim::prove {

// Runs the scenario, and once more for each parameter that set one of its limits, with half as much more of it. If one
// that binds does nothing alone, all that bind are tried together, with what binds then; and so are those that bind
// with others that gain. Each run has a process of its own, and writes nothing.
[[nodiscard]] cli::LimitProofs prove_limits(const cli::ScenarioArguments& scenario);

}  // namespace ndsim::prove
