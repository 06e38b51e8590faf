// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/build_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/text.hpp"
#include "tools/advise/cost.hpp"
#include "tools/advise/trial_text.hpp"
#include "tools/cli/figures.hpp"
#include "tools/cli/table.hpp"

namespace ndsim::advise {

namespace {

using cli::Align;
using cli::Table;

std::string safe_text(const Dimension& dimension, std::uint64_t depth) {
    return dimension.breaks == Break::receives ? "none" : text_of(dimension, depth);
}

// The dimension with which the trial has more than the others need: ", with A read tags 32".
std::string raised_text(const Advice& advice, const Trial& trial) {
    if (!trial.raised) {
        return {};
    }
    const Dimension& more = advice.dimensions.all[trial.raised->dimension];
    return fmt::format(", with {} {}", more.name, text_of(more, trial.raised->depth));
}

std::string less_text(const Advice& advice, std::size_t index) {
    const Dimension& dimension = advice.dimensions.all[index];
    const auto& least = advice.build->least_seen[index];
    const auto& below = advice.build->below_least[index];
    if (below) {
        return fmt::format("{}: {}{}", verdict_of(*below), reached_text(*below), raised_text(advice, *below));
    }
    return least && *least == dimension.low ? "it is the minimum" : "was not tried";
}

// The relative increase from the first to the second: "+1.3 %".
std::string change(std::uint64_t from, std::uint64_t to) {
    if (from == 0) {
        return "-";
    }
    const bool falls = to < from;
    return fmt::format("{}{} %", falls ? "-" : "+", cli::percent(falls ? from - to : to - from, from));
}

std::string more_text(const Advice& advice, std::size_t index) {
    const auto& more = advice.build->one_more[index];
    const Trial& is = advice.build->as_it_is;
    if (!more) {
        return "-";
    }
    return advice.wanted.rates ? change(is.goodput_of_all, more->goodput_of_all)
                               : change(static_cast<std::uint64_t>(is.latency.count()),
                                        static_cast<std::uint64_t>(more->latency.count()));
}

std::string cost_text(const Dimension& dimension) {
    if (dimension.weight) {
        return std::to_string(*dimension.weight);
    }
    if (dimension.chip_bytes > 0) {
        return bytes(dimension.chip_bytes) + " in the NIC";
    }
    return dimension.host_bytes > 0 ? bytes(dimension.host_bytes) + " in the host" : "-";
}

std::string depths_text(const Advice& advice, const Depths& depths) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < depths.size(); ++i) {
        const Dimension& dimension = advice.dimensions.all[i];
        if (dimension.breaks != Break::overrun) {
            parts.push_back(fmt::format("{} {}", dimension.name, text_of(dimension, depths[i])));
        }
    }
    return join(parts, ", ");
}

std::string tries_text(const Advice& advice) {
    std::string text = fmt::format("the worst of {} runs: the scenario as it is", 1 + advice.tries.seeds);
    if (advice.tries.seeds > 0) {
        text += fmt::format(", and {} more seeds", advice.tries.seeds);
        text += advice.tries.jitter > Picoseconds{0}
                    ? fmt::format(" with polls and posts of receives late by {} on average",
                                  cli::figure(advice.tries.jitter))
                    : "";
    }
    return text;
}

bool any_breaks(const Advice& advice, Break how) {
    return std::ranges::any_of(advice.dimensions.all, [how](const Dimension& each) { return each.breaks == how; });
}

}  // namespace

std::string build_text(const Advice& advice, const cli::Paint& paint) {
    const Build& build = *advice.build;
    Table table(
        {Align::left, Align::right, Align::right, Align::right, Align::right, Align::left, Align::right, Align::left});
    table.heading({"", "depth", "safe", "least seen", "scenario has", "one less than least seen",
                   advice.wanted.rates ? "one more: rate" : "one more: mean latency", "each costs"});
    for (std::size_t i = 0; i < advice.dimensions.all.size(); ++i) {
        const Dimension& dimension = advice.dimensions.all[i];
        const auto& least = build.least_seen[i];
        const std::string depth = text_of(dimension, build.joint.depths[i]);
        table.row({dimension.name, depth, safe_text(dimension, build.joint.depths[i]),
                   least ? text_of(dimension, *least) : "-", text_of(dimension, dimension.own), less_text(advice, i),
                   more_text(advice, i), cost_text(dimension)});
    }
    std::string text = heading("Build these", paint) + table.text(paint);
    if (has_weights(advice.dimensions.all)) {
        text += fmt::format("  cost, as it is given: {}\n", weight_of(advice.dimensions.all, build.joint.depths));
    }
    text += fmt::format("  {} in the NIC, {} in host memory\n",
                        bytes(chip_bytes(advice.dimensions.all, build.joint.depths)),
                        bytes(host_bytes(advice.dimensions.all, build.joint.depths)));
    text += fmt::format("  {}: {}, in {}\n", verdict_of(build.joint.trial),
                        join(build.joint.trial.judgement.found, ", "), tries_text(advice));
    if (!advice.is_out_of_time) {
        text += "  They hold, too, with more of any one of them, up to more than enough of it.\n";
    }
    if (any_breaks(advice, Break::overrun)) {
        text +=
            "  A completion queue is safe if it holds all that may be outstanding: it cannot overrun, whenever "
            "software polls. Deeper send or receive queues need deeper completion queues.\n";
    }
    if (any_breaks(advice, Break::receives)) {
        text += "  No number of receives is safe: if software is away for long enough, any number runs out.\n";
    }
    const auto is_open = [](const std::optional<Trial>& trial) { return trial && trial->is_open(); };
    if (const auto open = std::ranges::find_if(build.below_least, is_open); open != build.below_least.end()) {
        text += fmt::format("  Open means that a depth neither holds nor fails: {}, {}.\n",
                            (*open)->judgement.is_behind ? "its messages arrive faster than they are polled"
                                                         : "the 95 % interval of its rate contains the bound",
                            longest_of(**open));
    }
    for (const UnsafeQueue& queue : advice.unsafe) {
        text += fmt::format(
            "  {}: its depth of {} is held, and {} completions may be outstanding: it overruns if "
            "software polls too late\n",
            queue.name, queue.depth, queue.safe);
    }
    for (const Depths& other : advice.others) {
        text += "  These hold, too: " + depths_text(advice, other) + "\n";
    }
    if (advice.is_out_of_time) {
        text += "  The time ran out before the search was complete: smaller depths may hold.\n";
    }
    return text;
}

std::string held_text(const Advice& advice) {
    constexpr std::size_t kMost = 6;
    std::vector<std::string> parts;
    for (const HeldDepth& held : advice.dimensions.held) {
        if (parts.size() == kMost) {
            parts.push_back(fmt::format("and {} more", advice.dimensions.held.size() - kMost));
            break;
        }
        parts.push_back(held.path + " = " + held.value);
    }
    return parts.empty() ? "" : "Held at their values (--search releases them): " + join(parts, ", ") + "\n";
}

}  // namespace ndsim::advise
