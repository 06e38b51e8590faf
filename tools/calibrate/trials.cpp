// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "scenarios/format/overrides.hpp"
#include "sim/base/text.hpp"
#include "tools/cli/result_json.hpp"

namespace ndsim::calibrate {

using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& then) {
    first.insert(first.end(), then.begin(), then.end());
    return first;
}

// What a metric that the run does not have was meant to be.
std::string no_such_metric(const Json& result, const Measured& measured) {
    std::vector<std::string> names;
    for (const auto& [name, metric] : result.at("metrics").items()) {
        if (metric.contains("unit")) {
            names.push_back(name);
        }
    }
    const auto meant = nearest(measured.metric, names);
    return fmt::format("the run has no metric {}{}", in_quotes(measured.metric),
                       meant ? "; did you mean " + in_quotes(*meant) + "?" : std::string());
}

}  // namespace

Trials::Trials(const cli::ScenarioArguments& arguments, const std::string& file, const Measurements& measurements,
               sweep::PointRunner& runner, const std::function<void(const Progress&)>& on_wait)
    : arguments_(arguments), file_(file), measurements_(measurements), runner_(runner), on_wait_(on_wait) {
    Problems problems(file);
    std::set<std::string> seen;
    for (const MeasuredRun& run : measurements.runs) {
        cli::ScenarioArguments its = arguments;
        its.overrides = joined(its.overrides, run.overrides);
        try {
            scenarios_.push_back(cli::load(its));
        } catch (const ConfigError& error) {
            for (Problem problem : error.problems()) {
                if (problem.file == format::Overrides::kFile) {
                    problem.file = file;
                    problem.line = run.at.line;
                    problem.column = run.at.column;
                }
                if (seen.insert(problem.path + problem.message).second) {
                    problems.add(std::move(problem));
                }
            }
        }
    }
    problems.throw_if_any();
}

std::optional<sweep::Point> Trials::point(std::size_t run, const std::vector<std::string>& also) const {
    sweep::Point point{joined(joined(arguments_.overrides, measurements_.runs[run].overrides), also), {}};
    try {
        point.key = sweep::key_of(cli::load({arguments_.file, point.overrides}));
        return point;
    } catch (const ConfigError&) {
        return std::nullopt;
    }
}

std::vector<Figures> Trials::run(const std::vector<std::vector<std::string>>& overrides) {
    std::vector<std::vector<sweep::Point>> points(overrides.size());  // none: cannot be
    std::vector<sweep::Point> all;
    for (std::size_t i = 0; i < overrides.size(); ++i) {
        for (std::size_t run = 0; run < measurements_.runs.size(); ++run) {
            const auto one = point(run, overrides[i]);
            if (!one) {
                points[i].clear();
                break;
            }
            points[i].push_back(*one);
        }
        all.insert(all.end(), points[i].begin(), points[i].end());
    }
    runs_ += all.size();
    if (!runner_.run(all, [this](const sweep::PointsDone& done) { on_wait_({{}, done.done, done.of, "runs"}); })) {
        throw Interrupted();
    }
    std::vector<Figures> figures(overrides.size());
    for (std::size_t i = 0; i < overrides.size(); ++i) {
        std::vector<Json> metrics;
        for (const sweep::Point& each : points[i]) {
            metrics.push_back(runner_.result_of(each.key).value("metrics", Json::object()));
        }
        if (metrics.empty()) {
            continue;
        }
        std::vector<std::uint64_t> values;
        for (const Measured& measured : measurements_.figures) {
            if (const auto found = metrics[measured.run].find(measured.metric); found != metrics[measured.run].end()) {
                values.push_back(found->at("value").get<std::uint64_t>());
            }
        }
        const bool whole = values.size() == measurements_.figures.size() && std::ranges::count(values, 0U) == 0;
        figures[i] = whole ? Figures(std::move(values)) : std::nullopt;
    }
    return figures;
}

std::vector<std::uint64_t> Trials::run_base() {
    if (const Figures figures = run({{}}).front()) {
        Problems problems(file_);
        std::set<std::string> seen;
        for (const Measured& measured : measurements_.figures) {
            const Json result = runner_.result_of(point(measured.run, {})->key);
            const auto quantity = cli::quantity_of(result.at("metrics").at(measured.metric).at("unit").get<std::string>());
            if (quantity != measured.quantity && seen.insert(measured.metric).second) {
                problems.add(Position{}, measured.metric,
                             fmt::format("expected a unit of a {}, got one of a {}", quantity ? word(*quantity) : "count",
                                         word(measured.quantity)));
            }
        }
        problems.throw_if_any();
        return *figures;
    }
    Problems problems(file_);
    std::set<std::string> seen;
    for (const Measured& measured : measurements_.figures) {
        const Json result = runner_.result_of(point(measured.run, {})->key);
        const Position row = measurements_.runs[measured.run].at;
        if (!result.contains("metrics")) {
            problems.add(row, {}, "the run of this row broke off: " + result.value("why", std::string()));
        } else if (!result.at("metrics").contains(measured.metric)) {
            if (seen.insert(measured.metric).second) {
                problems.add(measured.at, {}, no_such_metric(result, measured),
                             result.at("exit") == 0 ? "" : result.value("why", std::string()));
            }
        } else if (result.at("metrics").at(measured.metric).at("value") == 0) {
            problems.add(measured.at, measured.metric, "is 0 in the model, whatever was measured");
        }
    }
    problems.throw_if_any();
    throw std::logic_error("figures are missing, and none is");
}

}  // namespace ndsim::calibrate
