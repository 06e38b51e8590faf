// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "scenarios/run/run.hpp"
#include "tools/cli/error_bars.hpp"
#include "tools/cli/limit_proofs.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/cli/output.hpp"

namespace ndsim::cli {

// The summary of a run for people: events, main figures, where the time went, expectations, and where the rest is.
// `folder` has the outputs; `proofs` are those of the limits, and `bars` those of the figures, if there are any.
[[nodiscard]] std::string result_text(const Loaded& loaded, const RunResult& result, const std::string& folder,
                                      const Paint& paint, const LimitProofs* proofs, const ErrorBars* bars);

}  // namespace ndsim::cli
