// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
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

// How a point's run ended: as expected; with an expectation that was not met; with a connection that died and was not
// to; or before its end.
enum class PointEnd : std::uint8_t { well, unmet, lost_connection, broken };

// The columns of a point that say how it ended.
struct PointOutcome {
    int exit = 0;
    std::string outcome;
    std::string why;
    std::size_t met = 0;
    std::size_t expectations = 0;
    std::size_t dead_connections = 0;  // that no expectation asks for

    [[nodiscard]] PointEnd end() const;
    [[nodiscard]] bool has_failed() const { return end() == PointEnd::lost_connection || end() == PointEnd::broken; }
    [[nodiscard]] bool is_unmet() const { return end() == PointEnd::unmet; }
    // In few words: "a connection died".
    [[nodiscard]] std::string words() const;
};

// A point in a table.
struct PointRow : PointOutcome {
    std::vector<std::string> settings;    // the values of all axes' paths, in order
    std::vector<std::string> bound_by;    // limits of the run
    std::vector<std::string> parameters;  // parameters of those limits
    std::vector<Figure> figures;
};

// The figures of every point are those of generators and programs, those with expectations, and the requested ones.
// `wanted` shows a bar. Nothing is written, and nothing returned, if the command is interrupted. cli::OutputError.
[[nodiscard]] std::optional<std::vector<PointRow>> write_results(
    const Plan& plan, const cli::RunFolder& folder, const std::vector<std::string>& asked_for, bool wanted,
    const std::function<std::string(const std::string& key)>& text_of);

// The paths of all axes, in order.
[[nodiscard]] std::vector<std::string> paths_of(const Plan& plan);

}  // namespace ndsim::sweep
