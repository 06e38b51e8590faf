// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "tools/inspect/completions_file.hpp"
#include "tools/inspect/recorded_run.hpp"

namespace ndsim::inspect {

// A request, and how it was chosen: "the slowest of 400"; empty if it was named.
struct Choice {
    Completion row;
    std::string how;
};

// The request that a word of the command line names or describes. UsageError lists the possible ones if none fits.
[[nodiscard]] Choice choose_request(const RecordedRun& run, const std::string& asked);

// The request with this number, A.12, or this label.
[[nodiscard]] std::optional<Completion> find_request(const RecordedRun& run, const std::string& name);

}  // namespace ndsim::inspect
