// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/plan.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "scenarios/format/overrides.hpp"
#include "scenarios/result/metric_name_check.hpp"
#include "scenarios/result/version.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/sweep/known_metrics.hpp"
#include "tools/sweep/point.hpp"

namespace ndsim::sweep {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kMostProblems = 20;
constexpr int kFormat = 1;  // of sweep.json and the files beside it

// The problems of all points, each once; a problem with a value of an axis names it.
class PointProblems {
public:
    PointProblems(const std::string& file, const std::vector<Axis>& axes) : file_(file), axes_(axes), problems_(file) {}

    void add(const ConfigError& error) {
        for (Problem problem : error.problems()) {
            if (const Axis* const axis = axis_of(problem)) {
                problem.file = axis->at == Position{} ? "--vary" : file_;
                problem.line = axis->at.line;
                problem.column = axis->at.column;
            }
            if (seen_.insert(problem.text()).second) {
                problems_.add(std::move(problem));
            }
        }
    }
    [[nodiscard]] bool enough() const { return seen_.size() >= kMostProblems; }
    void throw_if_any() const { problems_.throw_if_any(); }

private:
    [[nodiscard]] const Axis* axis_of(const Problem& problem) const {
        const auto sets = [&problem](const Axis& axis) { return std::ranges::count(axis.paths, problem.path) > 0; };
        const auto axis = std::ranges::find_if(axes_, sets);
        return problem.file == "--set" && axis != axes_.end() ? &*axis : nullptr;
    }

    const std::string& file_;
    const std::vector<Axis>& axes_;
    Problems problems_;
    std::set<std::string> seen_;
};

// The parameters that axes set, each in every host, link or switch that its path means.
class Varied {
public:
    explicit Varied(const JsonNode& written) : written_(written) {}

    void add(const std::string& path) {
        for (std::string& each : format::meant_paths(written_, path)) {
            paths_.insert(std::move(each));
        }
    }
    // Whether axes set all that this path sets, so that it has no effect in front of them.
    [[nodiscard]] bool replaces(const std::string& path) const {
        const std::vector<std::string> meant = format::meant_paths(written_, path);
        return !meant.empty() &&
               std::ranges::all_of(meant, [this](const std::string& each) { return paths_.contains(each); });
    }

private:
    const JsonNode& written_;
    std::set<std::string> paths_;
};

// Of two paths that set one parameter, the later one counts.
void refuse_replaced(const std::vector<Axis>& axes, const JsonNode& written, Problems& problems) {
    std::set<std::string> known;
    std::vector<std::string> paths;
    for (const Axis& axis : axes) {
        for (const std::string& path : axis.paths) {
            if (known.insert(path).second) {
                paths.push_back(path);
            } else {
                problems.add({}, path, "is varied twice");
            }
        }
    }
    Varied later(written);
    for (auto path = paths.rbegin(); path != paths.rend(); ++path) {
        if (later.replaces(*path)) {
            problems.add({}, *path, "has no effect, as what is varied after it sets it, too");
        }
        later.add(*path);
    }
}

// What the file varies cannot be set as well.
void refuse_set(const std::vector<Axis>& axes, const std::vector<std::string>& overrides, const JsonNode& written,
                Problems& problems) {
    Varied varied(written);
    for (const Axis& axis : axes) {
        std::ranges::for_each(axis.paths, [&](const std::string& path) { varied.add(path); });
    }
    problems.in_file("--set");
    for (const std::string& text : overrides) {
        const std::string path = text.substr(0, text.find('='));
        if (varied.replaces(path)) {
            problems.add({}, path, "the file's \"sweep\" varies it", "--vary replaces the file's \"sweep\"");
        }
    }
}

std::vector<Axis> axes_of(const std::vector<std::string>& vary, const std::vector<std::string>& overrides,
                          const cli::Loaded& base) {
    const Scenario& scenario = base.scenario;
    if (vary.empty() && scenario.sweep.empty()) {
        throw cli::UsageError(scenario.file +
                              " has no \"sweep\"; say what to vary, such as --vary nic.sq.depth=1,2,4..64*2");
    }
    Problems problems("--vary");
    std::vector<Axis> axes = vary.empty() ? scenario.sweep : std::vector<Axis>{};
    for (const std::string& text : vary) {
        auto axis = parse_axis(text);
        if (axis.value) {
            axes.push_back(std::move(*axis.value));
        } else {
            problems.add({}, {}, axis.error);
        }
    }
    refuse_replaced(axes, base.written, problems);
    if (points_of(axes) > kMostPoints) {
        problems.add({}, {}, "the sweep has more than " + std::to_string(kMostPoints) + " points");
    }
    if (vary.empty()) {
        refuse_set(axes, overrides, base.written, problems);
    }
    problems.throw_if_any();
    return axes;
}

}  // namespace

std::string Plan::name() const {
    const std::string stem = std::filesystem::path(file).stem().string();
    return stem.empty() ? "run" : stem;
}

std::vector<std::string> Plan::overrides_of(std::size_t point) const {
    std::vector<std::string> all = overrides;
    std::ranges::move(ndsim::overrides_of(axes, point), std::back_inserter(all));
    return all;
}

Plan plan_of(const cli::ScenarioArguments& arguments, const std::vector<std::string>& vary,
             const std::function<void(std::size_t, std::size_t)>& on_load) {
    const cli::Loaded base = cli::load(arguments);
    Plan plan;
    plan.file = std::filesystem::path(arguments.file).filename().string();
    plan.about = base.scenario.about;
    plan.overrides = arguments.overrides;
    plan.axes = axes_of(vary, arguments.overrides, base);
    plan.written = to_json(base.written);
    plan.written.erase("sweep");
    const std::size_t points = points_of(plan.axes);
    PointProblems problems(arguments.file, plan.axes);
    for (std::size_t point = 0; point < points && !problems.enough(); ++point) {
        try {
            plan.keys.push_back(key_of(cli::load(arguments.with(plan.overrides_of(point)))));
        } catch (const ConfigError& error) {
            problems.add(error);
        }
        on_load(point + 1, points);
        if (cli::interrupted()) {
            throw cli::Interrupted();
        }
    }
    problems.throw_if_any();
    return plan;
}

void check_metrics(const Plan& plan, const cli::ScenarioArguments& arguments, const std::vector<std::string>& asked,
                   unsigned at_once) {
    const auto scenario = [&](std::size_t point) {
        return cli::load(arguments.with(plan.overrides_of(point))).scenario;
    };
    if (asked.empty() && !names_metrics(scenario(0))) {
        return;
    }
    PointProblems problems(arguments.file, plan.axes);
    check_metrics({plan.points(), scenario, asked, at_once},
                  [&problems](const ConfigError& error) { problems.add(error); });
    problems.throw_if_any();
}

Json to_json(const Plan& plan) {
    Json axes = Json::array();
    for (const Axis& axis : plan.axes) {
        axes.push_back({{"vary", axis.paths}, {"values", axis.steps}});
    }
    return {{"ndsim", version()},          {"format", kFormat}, {"file", plan.file},       {"about", plan.about},
            {"overrides", plan.overrides}, {"sweep", axes},     {"written", plan.written}, {"keys", plan.keys}};
}

Plan plan_from(const Json& json) {
    if (json.at("format").get<int>() != kFormat) {
        throw std::invalid_argument("has an unknown format");
    }
    Plan plan{json.at("file").get<std::string>(),
              json.at("about").get<std::string>(),
              json.at("overrides").get<std::vector<std::string>>(),
              {},
              json.at("written"),
              json.at("keys").get<std::vector<std::string>>()};
    for (const Json& axis : json.at("sweep")) {
        plan.axes.push_back({axis.at("vary").get<std::vector<std::string>>(),
                             axis.at("values").get<std::vector<std::vector<std::string>>>()});
    }
    return plan;
}

}  // namespace ndsim::sweep
