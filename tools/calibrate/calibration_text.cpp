// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/calibration_text.hpp"

#include <fmt/format.h>

#include <set>

#include "sim/base/counted.hpp"
#include "sim/base/text.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::calibrate {

namespace {

constexpr double kInPercent = 100;
constexpr double kFarOff = 3;  // times the measured value, or that part of it; no estimate is so wrong

// traffic.t.size=64 B becomes size=64 B.
std::string short_form(const std::string& name) {
    constexpr std::string_view kTraffic = "traffic.";
    const std::size_t point = name.find('.', kTraffic.size());
    return name.starts_with(kTraffic) && point != std::string::npos ? name.substr(point + 1) : name;
}

std::string difference(std::uint64_t value, std::uint64_t measured) {
    const double part = static_cast<double>(value) / static_cast<double>(measured) - 1;
    return fmt::format("{:+.1f} %", kInPercent * part);
}

std::string figures_text(const Question& question, const Calibration& calibration, const cli::Paint& paint) {
    using cli::Align;
    cli::Table table({Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::right});
    table.heading({"figure", "with", "measured", "before", "", "after", ""});
    for (std::size_t i = 0; i < question.measurements.figures.size(); ++i) {
        const Measured& measured = question.measurements.figures[i];
        std::vector<std::string> with;
        for (const std::string& set : question.measurements.runs[measured.run].overrides) {
            with.push_back(short_form(set));
        }
        const auto shown = [&](std::uint64_t value) { return cli::rounded(to_text(measured.quantity, value)); };
        table.row({short_form(measured.metric), join(with, ", "), shown(measured.value), shown(calibration.before[i]),
                   difference(calibration.before[i], measured.value), shown(calibration.after[i]),
                   difference(calibration.after[i], measured.value)});
    }
    return table.text(paint);
}

// A line for each metric that is far off even after the fit.
std::string far_off_text(const Question& question, const Calibration& calibration) {
    std::set<std::string> told;
    std::string text;
    for (std::size_t i = 0; i < question.measurements.figures.size(); ++i) {
        const Measured& measured = question.measurements.figures[i];
        const double ratio = static_cast<double>(calibration.after[i]) / static_cast<double>(measured.value);
        if ((ratio > kFarOff || ratio * kFarOff < 1) && told.insert(measured.metric).second) {
            text += fmt::format("  {} is far off, fitted or not: look at its unit, and at the scenario\n",
                                short_form(measured.metric));
        }
    }
    return text;
}

std::string parameters_text(const Calibration& calibration, const cli::Paint& paint) {
    using cli::Align;
    cli::Table table({Align::left, Align::right, Align::right, Align::left, Align::left, Align::left});
    table.heading({"parameter", "before", "after", "stays within", "of", ""});
    for (const FittedParameter& parameter : calibration.parameters) {
        const sensitivity::Factor& factor = parameter.factor;
        const auto between = [](const std::string& low, const std::string& high) {
            return fmt::format("{} .. {}", cli::rounded(low), cli::rounded(high));
        };
        const std::string low = factor.low.value_or(factor.value);
        const std::string high = factor.high.value_or(factor.value);
        const bool is_at_end = parameter.after == low || parameter.after == high;
        std::vector<std::string> remarks;
        if (parameter.determined != Determined::well) {
            remarks.emplace_back(word(parameter.determined));
        }
        if (is_at_end && parameter.after != factor.value && parameter.determined != Determined::not_at_all) {
            remarks.emplace_back("at the end of its range");
        }
        table.row({factor.name, factor.value, parameter.after, between(parameter.low, parameter.high),
                   between(low, high), join(remarks, ", ")});
    }
    return table.text(paint);
}

}  // namespace

std::string calibration_text(const Question& question, const Calibration& calibration, const cli::Paint& paint) {
    std::string text = fmt::format("{}, {}: {} of {}\n\n", question.scenario.file, question.measured,
                                   counted(question.measurements.figures.size(), "figure"),
                                   counted(question.measurements.runs.size(), "run"));
    text += figures_text(question, calibration, paint);
    text += paint.strong(fmt::format("\n{:.2f} % off before, {:.2f} % after", kInPercent * calibration.rms_before,
                                     kInPercent * calibration.rms_after));
    text += " (root mean square)\n" + far_off_text(question, calibration);
    if (calibration.parameters.empty()) {
        return text + "\nNo estimate changes a measured figure by a thousandth: there is nothing to fit.\n";
    }
    text += "\n" + parameters_text(calibration, paint);
    if (!calibration.left.empty()) {
        text += fmt::format("  not fitted, as they matter less: {}\n", join(calibration.left, ", "));
    }
    return text;
}

}  // namespace ndsim::calibrate
