// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/run/run.hpp"
#include "tools/cli/command.hpp"
#include "tools/sweep/point_runner.hpp"

namespace ndsim::sensitivity {

// A figure of a run; none: the run broke off, or there is no such run.
using Figure = std::optional<std::uint64_t>;

// Runs: a scenario with sets of overrides, each run once.
class Runs {
public:
    Runs(cli::ScenarioArguments arguments, sweep::PointRunner& runner, std::function<void(const Progress&)> on_wait)
        : arguments_(std::move(arguments)), runner_(runner), on_wait_(std::move(on_wait)) {}

    [[nodiscard]] const cli::ScenarioArguments& scenario() const { return arguments_; }
    // Runs of the scenario that has these overrides, too.
    [[nodiscard]] Runs with(const std::vector<std::string>& also) const;
    // The point with these overrides; none: the scenario cannot have them.
    [[nodiscard]] std::optional<sweep::Point> point(const std::vector<std::string>& also) const;
    // The first reason why the scenario cannot have these overrides; empty: it can.
    [[nodiscard]] std::string refusal(const std::vector<std::string>& also) const;
    // sweep::Interrupted after Ctrl-C.
    void run(const std::vector<std::optional<sweep::Point>>& points);
    // The result of a point that was run.
    [[nodiscard]] nlohmann::ordered_json result(const sweep::Point& point) const;
    // The figures of a point; none if it broke off or lost a connection, unless the run that it is compared with did,
    // too.
    [[nodiscard]] std::vector<Figure> figures(const std::optional<sweep::Point>& point,
                                              const std::vector<std::string>& metrics,
                                              const nlohmann::ordered_json& compared_with) const;

private:
    [[nodiscard]] std::vector<std::string> overrides_with(const std::vector<std::string>& also) const;

    cli::ScenarioArguments arguments_;
    sweep::PointRunner& runner_;
    std::function<void(const Progress&)> on_wait_;
};

}  // namespace ndsim::sensitivity
