// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/advice.hpp"

#include <algorithm>

#include "sim/config/problems.hpp"
#include "tools/advise/accepted.hpp"
#include "tools/advise/adviser.hpp"
#include "tools/advise/cost.hpp"
#include "tools/advise/enlarge.hpp"

namespace ndsim::advise {

namespace {

bool breaks_nothing(const Target& target) {
    return target.kind == TargetKind::no_overflow || target.kind == TargetKind::no_rnr ||
           (target.kind == TargetKind::metric && !target.at_least && target.bound == 0);
}

Wanted wanted_by(const Judge& judge) {
    Wanted wanted;
    wanted.speed = !std::ranges::all_of(judge.targets(), breaks_nothing);
    wanted.rates = std::ranges::any_of(judge.targets(), is_rate);
    wanted.fills = wanted.speed && judge.only_rates();
    wanted.receives =
        std::ranges::any_of(judge.targets(), [](const Target& target) { return target.kind == TargetKind::no_rnr; });
    return wanted;
}

// Targets of other kinds than rates are told beside the payload rate.
RateUnits units_of(const std::vector<Target>& targets) {
    const bool messages =
        std::ranges::any_of(targets, [](const Target& target) { return target.figure.ends_with("message_rate"); });
    const bool payload = std::ranges::any_of(targets, [](const Target& target) {
        return target.kind == TargetKind::line_rate || target.figure.ends_with("goodput");
    });
    return {payload || !messages, messages};
}

// The scenario with the values of --hold; a problem with one of them names that option.
cli::Loaded load_held(const cli::ScenarioArguments& scenario, const std::vector<std::string>& held) {
    try {
        return cli::load(scenario.and_also(held));
    } catch (const ConfigError& error) {
        Problems problems(scenario.file);
        for (Problem problem : error.problems()) {
            if (problem.set > scenario.overrides.size()) {
                problem.file = "--hold";
            }
            problems.add(std::move(problem));
        }
        throw ConfigError(problems);
    }
}

}  // namespace

Advice advise(const Question& question, sweep::PointRunner& runner,
              const std::function<void(const Progress&)>& on_wait) {
    const auto begun = std::chrono::steady_clock::now();
    const Held held = parse_held(question.held);
    const cli::ScenarioArguments arguments = question.scenario.and_also(held.overrides);
    const cli::Loaded base = load_held(question.scenario, held.overrides);
    const Judge judge(base.scenario, question.targets);
    Advice advice;
    advice.tries = question.tries;
    advice.wanted = wanted_by(judge);
    advice.units = units_of(judge.targets());
    advice.dimensions =
        dimensions_of(base.scenario, advice.wanted, Scope(base.settings(), held.names, question.searched));
    narrow_to_accepted(advice.dimensions.all, arguments);
    give_weights(advice.dimensions.all, question.costs);
    Points points(arguments, base.scenario, advice.dimensions, judge, question.tries, runner, on_wait);
    if (question.time) {
        points.end_at(begun + *question.time);
    }
    try {
        enlarge(
            advice.dimensions.all,
            [&](const Dimension& dimension, std::uint64_t depth) {
                return cli::is_possible(arguments.and_also(overrides_of(dimension, depth)));
            },
            [&] { return points.run_tries({points.generous()}).front(); });
    } catch (const OutOfTime&) {  // the search finds out, too, and says so
    }
    Adviser(advice, arguments, base.scenario, points).advise();
    return advice;
}

}  // namespace ndsim::advise
