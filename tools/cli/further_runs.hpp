// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tools/cli/error_bars.hpp"
#include "tools/cli/limit_proofs.hpp"

namespace ndsim::cli {

// What other runs of the scenario have shown.
struct FurtherRuns {
    std::optional<LimitProofs> proofs;
    std::optional<ErrorBars> bars;
};
// As a text, from one process to another.
[[nodiscard]] std::string packed(FurtherRuns runs);
[[nodiscard]] FurtherRuns unpacked(const std::string& text);

}  // namespace ndsim::cli
