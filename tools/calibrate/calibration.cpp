// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/calibration.hpp"

#include <array>
#include <cmath>

#include "tools/calibrate/choice.hpp"
#include "tools/calibrate/fit.hpp"

namespace ndsim::calibrate {

namespace {

std::vector<double> errors_of(const std::vector<std::uint64_t>& figures, const Measurements& measurements) {
    std::vector<double> errors;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        errors.push_back(
            std::log(static_cast<double>(figures[i]) / static_cast<double>(measurements.figures[i].value)));
    }
    return errors;
}

// Of the shares by which the figures are off.
double root_mean_square_off(const std::vector<std::uint64_t>& figures, const Measurements& measurements) {
    std::vector<double> off;
    for (const double error : errors_of(figures, measurements)) {
        off.push_back(std::expm1(error));
    }
    return root_mean_square(off);
}

std::vector<std::string> overrides_at(const std::vector<Parameter>& parameters, const Values& values) {
    std::vector<std::string> overrides;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::vector<std::string> its = parameters[i].overrides_at(values[i]);
        overrides.insert(overrides.end(), its.begin(), its.end());
    }
    return overrides;
}

// With fewer figures than parameters something is known of all together only, however narrow each range looks: the
// others' ranges end somewhere.
Determined determined_by(const Fitter::Within& within, bool has_enough_figures) {
    constexpr double kHardly = 0.5;  // of the range
    if (within.low <= 0 && within.high >= 1) {
        return Determined::not_at_all;
    }
    return within.high - within.low > kHardly || !has_enough_figures ? Determined::hardly : Determined::well;
}

}  // namespace

std::string_view word(Determined determined) {
    constexpr std::array<std::string_view, 3> kWords{"", "hardly determined", "undetermined"};
    return kWords.at(static_cast<std::size_t>(determined));
}

Calibration calibrate(const Question& question, sweep::PointRunner& runner,
                      const std::function<void(const Progress&)>& on_wait) {
    Calibration found;
    Trials trials(question.scenario, question.measured, question.measurements, runner, on_wait);
    found.before = trials.run_base();
    const Choice choice = choose(question, trials, found.before);
    found.left = choice.left;

    const Oracle oracle = [&](const std::vector<Values>& points) {
        std::vector<std::vector<std::string>> overrides;
        overrides.reserve(points.size());
        for (const Values& values : points) {
            overrides.push_back(overrides_at(choice.parameters, values));
        }
        std::vector<Errors> errors;
        for (const Figures& figures : trials.run(overrides)) {
            errors.push_back(figures ? Errors(errors_of(*figures, question.measurements)) : std::nullopt);
        }
        return errors;
    };
    Values begin;
    for (const Parameter& parameter : choice.parameters) {
        begin.push_back(parameter.begin());
    }
    Fitter fitter(oracle, begin);
    const Fitted best = fitter.fit();
    const std::vector<Fitter::Within> within = fitter.within(best);
    const bool has_enough_figures = question.measurements.figures.size() >= choice.parameters.size();
    for (std::size_t i = 0; i < choice.parameters.size(); ++i) {
        const Parameter& parameter = choice.parameters[i];
        found.parameters.push_back({parameter.factor(), parameter.at(best.values[i]), parameter.at(within[i].low),
                                    parameter.at(within[i].high), determined_by(within[i], has_enough_figures)});
    }
    found.after = trials.run({overrides_at(choice.parameters, best.values)}).front().value();
    found.rms_before = root_mean_square_off(found.before, question.measurements);
    found.rms_after = root_mean_square_off(found.after, question.measurements);
    found.runs = trials.runs();
    return found;
}

}  // namespace ndsim::calibrate
