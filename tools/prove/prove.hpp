// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/limit_proofs.hpp"

namespace ndsim::prove {

// Runs the scenario, and once more for each parameter of its limits, with half as much more of it. If a binding limit
// gives nothing alone, all binding ones are tried together, with the next ones that bind; and so are binding limits
// with others that gain. What is not proved then is tried with half as much more once again. Each run is a child
// process, and writes nothing but a bar on the terminal.
[[nodiscard]] cli::LimitProofs prove_limits(const cli::ScenarioArguments& scenario, bool quiet);

}  // namespace ndsim::prove
