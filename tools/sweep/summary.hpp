// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/cli/exit_code.hpp"
#include "tools/sweep/results.hpp"

namespace ndsim::sweep {

// The shortest end of a path that no other path has.
[[nodiscard]] std::string short_name(const std::string& path, const std::vector<std::string>& all);

// The summary of a finished sweep: a line for each point, failures, and the places of the files.
[[nodiscard]] std::string summary_text(const Plan& plan, const std::vector<PointRow>& rows,
                                       const std::vector<std::string>& asked_for, const std::string& folder,
                                       const cli::Paint& paint);
[[nodiscard]] nlohmann::ordered_json summary_json(const Plan& plan, const std::vector<PointRow>& rows,
                                                  const std::string& folder);
// Prints it, and returns the exit code: 1 if a point failed.
cli::ExitCode tell_summary(const Plan& plan, const std::vector<PointRow>& rows,
                           const std::vector<std::string>& asked_for, const std::string& folder, bool json, bool quiet);

}  // namespace ndsim::sweep
