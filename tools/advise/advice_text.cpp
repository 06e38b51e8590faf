// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/advice_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.hpp"
#include "sim/config/quantity.hpp"
#include "tools/advise/bounds.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::advise {

namespace {

using cli::Align;
using cli::Paint;
using cli::Table;

std::string heading(const std::string& text, const Paint& paint) {
    return "\n" + paint.strong(text) + "\n";
}

std::string limits_of(const Trial& trial) {
    if (trial.limits.empty()) {
        return "nothing in particular";
    }
    const Limit& first = trial.limits.front();
    return first.parameter.empty() ? first.what
                                   : fmt::format("{} ({} = {}{})", first.what, first.parameter, first.value,
                                                 first.is_assumed ? ", assumed" : "");
}

std::string found_in(const Trial& trial) {
    return trial.judgement.found.empty() ? trial.judgement.why : trial.judgement.found.front();
}

std::string verdict_of(const Trial& trial) {
    constexpr std::array<std::string_view, 3> kWords{"holds", "fails", "open"};
    return std::string(kWords.at(static_cast<std::size_t>(trial.judgement.verdict)));
}

std::string bytes(std::uint64_t count) {
    return cli::rounded(to_text(Quantity::size, count));
}

std::string needs(const std::optional<std::uint64_t>& depth) {
    return depth ? std::to_string(*depth) : "not enough";
}

std::string alone_text(const Advice& advice, const Paint& paint) {
    Table table({Align::left, Align::right, Align::right, Align::right, Align::left});
    table.heading({"", "needs", "scenario has", "each costs", "one less"});
    std::string exceptions;
    for (std::size_t i = 0; i < advice.dimensions.size(); ++i) {
        const Dimension& dimension = advice.dimensions[i];
        const Curve& curve = advice.curves[i];
        const std::string costs = dimension.chip_bytes > 0 ? fmt::format("{} in the NIC", bytes(dimension.chip_bytes))
                                                           : fmt::format("{} in the host", bytes(dimension.host_bytes));
        std::string less = "is the least there can be";
        if (const auto at = curve.steps.find(curve.smallest.value_or(0)); at != curve.steps.begin()) {
            const Trial& trial = std::prev(at)->second;
            less = fmt::format("{}, bound by {}", found_in(trial), limits_of(trial));
        }
        table.row({dimension.name, needs(curve.smallest), std::to_string(dimension.own), costs, less});
        if (curve.exception) {
            exceptions += fmt::format("  {}: not monotone: {} fails, though less of it holds\n", dimension.name,
                                      *curve.exception);
        }
    }
    return heading("Each by itself, with more than enough of everything else", paint) + table.text(paint) + exceptions;
}

// Whether or not the target is within reach: with less of such a dimension there would be more.
std::string falls_text(const Advice& advice) {
    std::string text;
    for (std::size_t i = 0; i < advice.dimensions.size(); ++i) {
        const Curve& curve = advice.curves[i];
        const auto said = [&curve](std::uint64_t depth) {
            const Trial& trial = curve.steps.at(depth);
            return fmt::format("{} gives {}, bound by {}", depth,
                               cli::rounded(to_text(Quantity::rate, trial.goodput_of_all)), limits_of(trial));
        };
        if (curve.fall) {
            text += fmt::format("  {}: not monotone: {}; {}\n", advice.dimensions[i].name, said(curve.fall->from),
                                said(curve.fall->to));
        }
    }
    return text;
}

std::string curve_text(const Advice& advice, std::size_t index, const Paint& paint) {
    const Dimension& dimension = advice.dimensions[index];
    Table table({Align::right, Align::left, Align::left, Align::right, Align::left});
    table.heading({"depth", "", "reached", "at most (Little)", "bound by"});
    for (const auto& [depth, trial] : advice.curves[index].steps) {
        const auto bound = little_bound(dimension, depth, advice.alone);
        table.row({std::to_string(depth), verdict_of(trial), found_in(trial),
                   bound ? cli::rounded(to_text(Quantity::rate, *bound)) : "", limits_of(trial)});
    }
    return heading(fmt::format("{}: {}", dimension.name, dimension.sentence), paint) + table.text(paint);
}

// A dimension whose lowest depth is enough has no curve worth looking at.
bool has_knee(const Curve& curve) {
    return !curve.smallest || curve.steps.find(*curve.smallest) != curve.steps.begin();
}

std::string depths_text(const Advice& advice, const Depths& depths) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < depths.size(); ++i) {
        parts.push_back(fmt::format("{} {}", advice.dimensions[i].name, depths[i]));
    }
    return fmt::format("{}: {} in the NIC, {} in host memory", join(parts, ", "),
                       bytes(chip_bytes(advice.dimensions, depths)), bytes(host_bytes(advice.dimensions, depths)));
}

std::string joint_text(const Advice& advice, const Paint& paint) {
    const Joint& best = advice.front.front();
    std::string text = heading("Together", paint) + "  " + depths_text(advice, best.depths) + "\n";
    text += fmt::format("  {}: {}\n", verdict_of(best.trial), join(best.trial.judgement.found, ", "));
    for (std::size_t i = 0; i < best.depths.size(); ++i) {
        if (best.depths[i] > advice.dimensions[i].low) {
            const Trial& less = best.one_less[i];
            text += fmt::format("  {} with {} {}: {}\n", verdict_of(less), advice.dimensions[i].name,
                                best.depths[i] - 1, found_in(less));
        }
    }
    text +=
        "  A CQ with less room than all that may be outstanding is enough only while software polls as it does here.\n";
    for (std::size_t other = 1; other < advice.front.size(); ++other) {
        text += "  or " + depths_text(advice, advice.front[other].depths) + "\n";
    }
    return text;
}

std::string assumed_text(const Advice& advice, const Paint& paint) {
    if (advice.assumed.empty()) {
        return {};
    }
    std::string text = heading("Estimates that bind: what is needed if they are half or twice as large", paint);
    for (const Assumed& each : advice.assumed) {
        text += fmt::format("  {} = {}\n", each.limit.parameter, each.limit.value);
        Table table({Align::left, Align::right, Align::right, Align::right});
        table.heading({"", "with " + each.low, "as it is", "with " + each.high});
        for (const auto& [dimension, smallest] : each.smallest_at_low) {
            table.row({advice.dimensions[dimension].name, needs(smallest), needs(advice.curves[dimension].smallest),
                       needs(each.smallest_at_high.at(dimension))});
        }
        text += table.text(paint);
    }
    return text;
}

std::string bounds_text(const Scenario& scenario, const Advice& advice, const Paint& paint) {
    std::string text = heading("What no depth changes", paint);
    Table table({Align::right, Align::left});
    for (const Bound& bound : fixed_bounds(scenario)) {
        table.row({cli::rounded(to_text(Quantity::rate, bound.rate)), bound.what});
    }
    for (const Dimension& dimension : advice.dimensions) {
        if (!dimension.name.ends_with(" outstanding reads")) {
            continue;
        }
        if (const auto most = little_bound(dimension, dimension.generous, advice.alone)) {
            table.row(
                {cli::rounded(to_text(Quantity::rate, *most)),
                 fmt::format("{} {} of each queue pair, the most there can be, each of them for {} if it is alone",
                             dimension.generous, dimension.name.substr(dimension.name.find(' ') + 1),
                             cli::figure(advice.alone.read))});
        }
    }
    return text + table.text(paint);
}

}  // namespace

std::string why_not(const Advice& advice) {
    return fmt::format("no depths are enough: with more than enough of everything it is {}; bound by {}",
                       advice.generous.judgement.why, limits_of(advice.generous));
}

std::string advice_text(const Question& question, const Scenario& scenario, const Advice& advice, const Paint& paint) {
    std::vector<std::string> wanted;
    std::ranges::transform(question.targets, std::back_inserter(wanted), &Target::text);
    std::string text = fmt::format("{}: the smallest depths for {}\n", scenario.file, join(wanted, ", "));
    if (advice.fills) {
        text += "The application always has as many requests outstanding as its send queues hold.\n";
    }
    text += fmt::format("With more than enough of everything: {}, bound by {}\n",
                        join(advice.generous.judgement.found, ", "), limits_of(advice.generous));
    text += bounds_text(scenario, advice, paint);
    if (advice.generous.holds()) {
        text += alone_text(advice, paint);
    }
    text += falls_text(advice);
    for (std::size_t i = 0; i < advice.dimensions.size(); ++i) {
        if (has_knee(advice.curves[i])) {
            text += curve_text(advice, i, paint);
        }
    }
    if (advice.generous.holds()) {
        text += joint_text(advice, paint) + assumed_text(advice, paint);
    }
    if (advice.seeds_without_rnr) {
        text += fmt::format("\n{} of {} seeds hold with these depths; that is no proof for others\n",
                            *advice.seeds_without_rnr, kSeeds);
    }
    return text;
}

}  // namespace ndsim::advise
