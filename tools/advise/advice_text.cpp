// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/advice_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"
#include "tools/advise/build_text.hpp"
#include "tools/advise/fixed_bounds.hpp"
#include "tools/advise/little.hpp"
#include "tools/advise/trial_text.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::advise {

namespace {

using cli::Align;
using cli::Paint;
using cli::Table;

// The depth needed in a dimension; none: not enough, or not decided even with the most generous one.
std::string needs(const Dimension& dimension, const std::optional<std::uint64_t>& depth, bool is_open = false) {
    return depth ? text_of(dimension, *depth) : is_open ? "open" : "not enough";
}

// A rate in the units of the targets.
std::string rate_text(const Advice& advice, std::uint64_t bits, std::uint64_t messages) {
    std::vector<std::string> rates;
    if (advice.units.payload) {
        rates.push_back(cli::rounded(to_text(Quantity::rate, bits)));
    }
    if (advice.units.messages) {
        rates.push_back(cli::rounded(to_text(Quantity::frequency, messages)));
    }
    return join(rates, ", ");
}

// Little's law for a depth, in the units of the targets.
std::string little_text(const Advice& advice, const Dimension& dimension, std::uint64_t depth) {
    const auto bits = measured_bound(dimension, depth, advice.alone);
    return bits ? rate_text(advice, *bits, *bits / (8 * dimension.message)) : "";
}

// Independent of the target: dimensions in which less would give more.
std::string falls_text(const Advice& advice) {
    std::string text;
    for (std::size_t i = 0; i < advice.curves.size(); ++i) {
        const Dimension& dimension = advice.dimensions.all[i];
        const Curve& curve = advice.curves[i];
        const auto said = [&](std::uint64_t depth) {
            const Trial& trial = curve.steps.at(depth);
            return fmt::format("{} gives {}, bound by {}", text_of(dimension, depth),
                               rate_text(advice, trial.goodput_of_all, trial.messages_of_all), limits_of(trial));
        };
        if (curve.fall) {
            text += fmt::format("  {}: not monotone: {}; {}\n", dimension.name, said(curve.fall->from),
                                said(curve.fall->to));
        }
        if (curve.exception) {
            text += fmt::format("  {}: not monotone: {} fails, though less of it holds\n", dimension.name,
                                text_of(dimension, *curve.exception));
        }
    }
    return text;
}

std::string curve_text(const Advice& advice, std::size_t index, const Paint& paint) {
    const Dimension& dimension = advice.dimensions.all[index];
    const Curve& curve = advice.curves[index];
    const bool has_bound = is_bounded(dimension, curve.steps, advice.alone);
    Table table({Align::right, Align::left, Align::left, Align::right, Align::left});
    table.heading({"depth", "", "reached", has_bound ? "at most (Little)" : "", "bound by"});
    for (const auto& [depth, trial] : curve.steps) {
        table.row({text_of(dimension, depth), verdict_of(trial), reached_text(trial),
                   has_bound ? little_text(advice, dimension, depth) : "", limits_of(trial)});
    }
    const bool is_built = dimension.breaks == Break::overrun;
    return heading(fmt::format("{}: {}{}", dimension.name, dimension.sentence,
                               is_built ? "; all else as built" : "; more than enough of all else"),
                   paint) +
           table.text(paint);
}

// A dimension whose lowest depth is enough has no curve worth showing.
bool has_knee(const Curve& curve) {
    return !curve.steps.empty() && (!curve.smallest || curve.steps.find(*curve.smallest) != curve.steps.begin());
}

std::string assumed_text(const Advice& advice, const Paint& paint) {
    if (advice.assumed.empty()) {
        return {};
    }
    std::string text = heading("Estimates that bind: what is needed at the ends of their ranges", paint);
    for (const Assumed& each : advice.assumed) {
        text += fmt::format("  {} = {}\n", each.limit.parameter, each.limit.value);
        Table table({Align::left, Align::right, Align::right, Align::right});
        table.heading({"", "with " + each.low, "as it is", "with " + each.high});
        for (const auto& [dimension, smallest] : each.smallest_at_low) {
            const Dimension& of = advice.dimensions.all[dimension];
            table.row({of.name, needs(of, smallest, each.is_open_at_low), needs(of, advice.curves[dimension].smallest),
                       needs(of, each.smallest_at_high.at(dimension), each.is_open_at_high)});
        }
        text += table.text(paint);
    }
    return text;
}

std::string bounds_text(const Scenario& scenario, const Advice& advice, const Paint& paint) {
    std::string text = heading("What no depth changes", paint);
    Table table({Align::right, Align::left});
    for (const Bound& bound : fixed_bounds(scenario)) {
        table.row({rate_text(advice, bound.rate, bound.messages), bound.what});
    }
    for (std::size_t i = 0; i < advice.curves.size(); ++i) {
        const Dimension& dimension = advice.dimensions.all[i];
        if (!dimension.holds_reads || !is_bounded(dimension, advice.curves[i].steps, advice.alone)) {
            continue;
        }
        if (const std::string most = little_text(advice, dimension, dimension.generous); !most.empty()) {
            table.row({most, fmt::format("{} {} of each queue pair, the most possible, each taking {} when alone",
                                         dimension.generous, dimension.name.substr(dimension.name.find(' ') + 1),
                                         cli::figure(advice.alone.read))});
        }
    }
    return text + table.text(paint);
}

// " --hold traffic.t.window" for each window that the search raises.
std::string windows_to_hold(const Dimensions& dimensions) {
    std::set<std::string> windows;
    for (const std::string& raised : dimensions.overrides) {
        windows.insert(" --hold " + raised.substr(0, raised.find('=')));
    }
    for (const Dimension& dimension : dimensions.all) {
        for (const Dimension::Setting& setting : dimension.settings) {
            if (setting.path.ends_with(".window")) {
                windows.insert(" --hold " + setting.path);
            }
        }
    }
    return fmt::format("{}", fmt::join(windows, ""));
}

// " but A SQ = 128 holds ..."; empty: nothing holds.
std::string less_that_holds(const Advice& advice) {
    if (advice.holds_as_given) {
        const std::string windows = windows_to_hold(advice.dimensions);
        return ", but the scenario as it is holds: keep what it has" + (windows.empty() ? "" : "," + windows);
    }
    if (!advice.lowered) {
        return {};
    }
    const Dimension& dimension = advice.dimensions.all[advice.lowered->dimension];
    return fmt::format(", but {} = {} holds with more than enough of all else: give it with --hold", dimension.name,
                       text_of(dimension, advice.lowered->depth));
}

// The command that runs the scenario with the depths to build; those of many hosts are left to advice.json.
std::string run_text(const cli::ScenarioArguments& scenario, const Build& build) {
    constexpr std::size_t kMost = 24;
    if (build.overrides.size() - scenario.from_presets > kMost) {
        return "  advice.json has these depths as values for --set (build.overrides)\n";
    }
    std::string text = "  To run it: ndsim run " + cli::in_shell(scenario.file);
    for (const std::string& preset : scenario.presets) {
        text += " --preset " + cli::in_shell(preset);
    }
    for (std::size_t i = scenario.from_presets; i < build.overrides.size(); ++i) {
        text += " --set " + cli::in_shell(build.overrides[i]);
    }
    return text + "\n";
}

}  // namespace

std::string why_not(const Advice& advice) {
    if (advice.is_out_of_time) {
        return "the time ran out before any depths were known to hold; the same command continues from here";
    }
    const std::string late =
        advice.generous.seed ? fmt::format(" and software late by chance (seed {})", *advice.generous.seed) : "";
    if (advice.generous.is_open()) {
        return fmt::format(
            "it is open whether any depths are enough: with more than enough of everything{} it is {}, {}", late,
            advice.generous.judgement.why, longest_of(advice.generous));
    }
    const std::string less = less_that_holds(advice);
    return fmt::format("{}with more than enough of everything{} it is {}{}{}",
                       less.empty() ? "no depths are enough: " : "too much is worse: ", late,
                       advice.generous.judgement.why,
                       advice.generous.limits.empty() ? "" : "; bound by " + limits_of(advice.generous), less);
}

std::string advice_text(const Question& question, const Scenario& scenario, const Advice& advice, const Paint& paint) {
    std::vector<std::string> wanted;
    std::ranges::transform(question.targets, std::back_inserter(wanted), &Target::text);
    std::string text = fmt::format("{}: the smallest depths for {}\n", scenario.file, join(wanted, ", "));
    if (advice.dimensions.windows_follow()) {
        text += "Windows that are not set are as large as the send queues.\n";
    }
    text += held_text(advice);
    if (!advice.generous.judgement.found.empty()) {  // otherwise the time was over before
        const std::string seed = advice.generous.seed ? fmt::format(" (seed {})", *advice.generous.seed) : "";
        text += fmt::format("With more than enough of everything: {}{}, bound by {}\n",
                            join(advice.generous.judgement.found, ", "), seed, limits_of(advice.generous));
    }
    if (advice.build) {
        text += build_text(advice, paint) + run_text(question.scenario, *advice.build);
    }
    text += bounds_text(scenario, advice, paint) + falls_text(advice) + assumed_text(advice, paint);
    for (std::size_t i = 0; i < advice.curves.size(); ++i) {
        if (has_knee(advice.curves[i])) {
            text += curve_text(advice, i, paint);
        }
    }
    return text;
}

}  // namespace ndsim::advise
