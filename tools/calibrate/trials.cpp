// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "scenarios/format/overrides.hpp"
#include "scenarios/result/result_json.hpp"
#include "sim/base/nearest_name.hpp"
#include "sim/base/text.hpp"

namespace ndsim::calibrate {

using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& then) {
    first.insert(first.end(), then.begin(), then.end());
    return first;
}

// The message about a metric that the run does not have, with a suggestion.
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

// All metrics of generators and programs are kept, so that a table with another column needs no new run.
bool is_of_software(std::string_view metric) {
    constexpr std::array<std::string_view, 4> kBegins{"traffic.", "programs.", "dma.", "run."};
    return std::ranges::any_of(kBegins, [&](std::string_view begin) { return metric.starts_with(begin); });
}

// Other metrics that are measured. Results with and without them have different keys.
std::set<std::string> others_of(const Measurements& measurements) {
    std::set<std::string> others;
    for (const Measured& measured : measurements.figures) {
        if (!is_of_software(measured.metric)) {
            others.insert(measured.metric);
        }
    }
    return others;
}

}  // namespace

void keep_what_is_measured(const Measurements& measurements, Json& result) {
    const std::set<std::string> others = others_of(measurements);
    Json kept = Json::object();
    for (const auto& [name, value] : result.items()) {
        if (name == "metrics") {
            Json metrics = Json::object();
            for (const auto& [metric, its] : value.items()) {
                if (is_of_software(metric) || others.contains(metric)) {
                    metrics[metric] = its;
                }
            }
            kept[name] = std::move(metrics);
        } else if (name == "exit" || name == "outcome" || name == "why") {
            kept[name] = value;
        }
    }
    result = std::move(kept);
}

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
        point.key = sweep::key_of(cli::load(arguments_.with(point.overrides)));
        if (const std::set<std::string> others = others_of(measurements_); !others.empty()) {
            point.key = sweep::hash_of(point.key + "\n" + join(others, "\n"));
        }
        return point;
    } catch (const ConfigError&) {
        return std::nullopt;
    }
}

std::vector<Figures> Trials::run(const std::vector<std::vector<std::string>>& overrides) {
    std::vector<std::vector<sweep::Point>> points(overrides.size());  // none: impossible
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
        throw sweep::Interrupted();
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
            const auto quantity =
                ndsim::quantity_of(result.at("metrics").at(measured.metric).at("unit").get<std::string>());
            if (quantity != measured.quantity && seen.insert(measured.metric).second) {
                problems.add(Position{}, measured.metric,
                             fmt::format("expected a unit of a {}, got one of a {}",
                                         quantity ? word(*quantity) : "count", word(measured.quantity)));
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
            problems.add(row, {}, "the run of this row was aborted: " + result.value("why", std::string()));
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
