// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/output.hpp"
#include "tools/cli/run_folder.hpp"
#include "tools/sweep/plan.hpp"
#include "tools/sweep/point_result.hpp"

namespace ndsim::sweep {

// The outputs of a sweep besides sweep.json and its journal. They depend on the scenario and the version alone, not on
// the order or the place of the runs.
inline constexpr std::array<std::string_view, 4> kResultFiles{"sweep.csv", "sweep.ndjson", "sweep.sqlite",
                                                              "report.html"};

// A point in a table.
struct PointRow {
    std::vector<std::string> settings;  // the values of all axes' paths, in order
    int exit = 0;
    std::string outcome;
    std::string why;
    std::size_t met = 0;
    std::size_t expectations = 0;
    std::vector<std::string> bound_by;    // limits of the run
    std::vector<std::string> parameters;  // parameters of those limits
    std::vector<Figure> figures;
};

// The figures of every point are those of generators and programs, those with expectations, and the requested ones.
// cli::OutputError.
[[nodiscard]] std::vector<PointRow> write_results(const Plan& plan, const cli::RunFolder& folder,
                                                  const std::vector<std::string>& asked_for,
                                                  const std::function<std::string(const std::string& key)>& text_of);

// The paths of all axes, in order.
[[nodiscard]] std::vector<std::string> paths_of(const Plan& plan);

}  // namespace ndsim::sweep
