// SPDX-License-Identifier: Apache-2.0
#include "tools/sweep/known_metrics.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "scenarios/result/metric_name_check.hpp"
#include "scenarios/run/child_processes.hpp"
#include "scenarios/run/run.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/interrupt.hpp"

namespace ndsim::sweep {

using Json = nlohmann::ordered_json;

namespace {

Json to_json(const Problem& problem) {
    return {problem.file, problem.line, problem.column, problem.path, problem.message, problem.hint};
}

Problem problem_from(const Json& json) {
    const auto text = [&json](std::size_t i) { return json.at(i).get<std::string>(); };
    const auto number = [&json](std::size_t i) { return json.at(i).get<std::uint32_t>(); };
    return {text(0), number(1), number(2), text(3), text(4), text(5)};
}

// The problems at a point: the scenario's, and the message about each requested metric that does not exist.
Json answer_of(const Scenario& scenario, const std::vector<std::string>& asked) {
    const Metrics known = metrics_of_any_run(scenario);
    Json answer{{"problems", Json::array()}, {"absent", Json::object()}};
    for (const Problem& problem : wrong_metrics(scenario, known).sorted()) {
        answer["problems"].push_back(to_json(problem));
    }
    for (const std::string& name : asked) {
        if (const auto wrong = wrong_request(name, known)) {
            answer["absent"][name] = *wrong;
        }
    }
    return answer;
}

}  // namespace

std::optional<std::string> wrong_request(const std::string& asked, const Metrics& known) {
    const auto absence = no_such_metric(asked, known);
    if (!absence) {
        return std::nullopt;
    }
    return "--metric: " + absence->message + (absence->hint.empty() ? "" : " (" + absence->hint + ")");
}

void check_metrics(const MetricQuestion& question, const std::function<void(const ConfigError&)>& on_problem) {
    // By name: the number of points without it, and the message there.
    std::map<std::string, std::pair<std::size_t, std::string>> absent;
    ChildWork work;
    work.jobs = question.points;
    work.at_once = question.at_once;
    work.run = [&](std::size_t point) { return answer_of(question.scenario(point), question.asked).dump(); };
    work.on_end = [&](const ChildEnd& end) {
        if (!end.died.empty()) {
            throw std::runtime_error("the process that looked for metrics " + end.died);
        }
        const Json answer = Json::parse(end.text);
        Problems problems{""};
        for (const Json& problem : answer.at("problems")) {
            problems.add(problem_from(problem));
        }
        if (!problems.empty()) {
            on_problem(ConfigError(problems));
        }
        for (const auto& [name, said] : answer.at("absent").items()) {
            ++absent[name].first;
            absent[name].second = said;
        }
    };
    work.stop = cli::interrupted;
    if (!run_in_children(work)) {
        throw cli::Interrupted();
    }
    for (const auto& [name, at] : absent) {
        if (at.first == question.points) {
            throw cli::UsageError(at.second);
        }
    }
}

void check_metrics(const Scenario& scenario, const std::vector<std::string>& asked) {
    if (names_metrics(scenario) || !asked.empty()) {
        check_metrics({1, [&scenario](std::size_t) { return scenario; }, asked, 1},
                      [](const ConfigError& error) { throw error; });
    }
}

}  // namespace ndsim::sweep
