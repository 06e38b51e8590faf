// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cli/output.hpp"
#include "tools/cli/run_folder.hpp"
#include "tools/sweep/plan.hpp"

namespace ndsim::sweep {

// What a sweep leaves in its folder besides sweep.json and its journal. All of it depends on the scenario and the
// version alone, not on the order in which points were run, nor on where.
inline constexpr std::array<std::string_view, 4> kResultFiles{"sweep.csv", "sweep.ndjson", "sweep.sqlite",
                                                              "report.html"};

// A figure of a point, in the smallest units of its quantity.
struct Figure {
    std::string name;
    std::uint64_t value = 0;
    std::string unit;
};

// What a table shows of a point.
struct PointRow {
    std::vector<std::string> settings;  // the values of the axes' paths, one after the other
    int exit = 0;
    std::string outcome;
    std::string why;
    std::size_t met = 0;
    std::size_t expectations = 0;
    std::vector<std::string> bound_by;    // what bound the run
    std::vector<std::string> parameters;  // likewise, the parameters that say how much there is of it
    std::vector<Figure> figures;
};

// Shown of every point are the figures of generators and programs, those that the scenario has expectations of, and
// those that are asked for. cli::OutputError.
[[nodiscard]] std::vector<PointRow> write_results(
    const Plan& plan, const cli::RunFolder& folder, const std::vector<std::string>& asked_for,
    const std::function<nlohmann::ordered_json(const std::string& key)>& result_of);

// The paths of all axes, one after the other.
[[nodiscard]] std::vector<std::string> paths_of(const Plan& plan);

}  // namespace ndsim::sweep
