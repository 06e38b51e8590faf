// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/nearest_name.hpp"
#include "sim/base/text.hpp"
#include "sim/config/params.hpp"
#include "tools/cli/failure.hpp"
#include "tools/sensitivity/idle.hpp"
#include "tools/sensitivity/study.hpp"

namespace ndsim::calibrate {

using sensitivity::Factor;

namespace {

constexpr std::size_t kMost = 8;
constexpr double kMatters = 1e-3;

// Paths set by the scenario's file, --set or a row of measurements. Only the others can come from a preset's file.
std::set<std::string> said_paths(const Trials& trials) {
    std::set<std::string> said;
    for (const cli::Loaded& loaded : trials.scenarios()) {
        for (const Setting& setting : loaded.settings()) {
            if (setting.is_given()) {
                said.insert(setting.path);
            }
        }
    }
    return said;
}

bool is_called(const Factor& factor, const std::string& name) {
    return factor.name == name || std::ranges::find(factor.paths, name) != factor.paths.end();
}

// The factor of this name; a path of one host gives that host's alone.
std::optional<Factor> named(const std::vector<Factor>& factors, const std::string& name) {
    const auto found = std::ranges::find_if(factors, [&](const Factor& each) { return is_called(each, name); });
    if (found == factors.end()) {
        return std::nullopt;
    }
    Factor factor = *found;
    if (factor.name != name) {
        factor.name = name;
        factor.paths = {name};
    }
    return factor;
}

void refuse_unknown(const std::string& option, const std::string& name, const std::vector<Factor>& all) {
    std::vector<std::string> names;
    for (const Factor& factor : all) {
        names.push_back(factor.name);
        names.insert(names.end(), factor.paths.begin(), factor.paths.end());
    }
    if (std::ranges::find(names, name) == names.end()) {
        const auto one =
            std::ranges::find_if(names, [&](const std::string& each) { return each.ends_with("." + name); });
        if (one != names.end()) {
            throw cli::UsageError(
                fmt::format("{}: {} is not the same everywhere; expected one of them, such as {}", option, name, *one));
        }
        const auto meant = nearest(name, names);
        throw cli::UsageError(
            fmt::format("{}: expected a parameter of hosts, links or switches that is a number, got {}{}", option,
                        in_quotes(name), meant ? "; did you mean " + in_quotes(*meant) + "?" : std::string()));
    }
}

Parameter parameter_named(const std::string& name, const std::vector<Factor>& factors, const std::vector<Factor>& all,
                          const std::set<std::string>& said) {
    refuse_unknown("--fit", name, all);
    const auto factor = named(factors, name);
    if (factor && !has_range(*factor)) {
        throw cli::UsageError(fmt::format("--fit: {} is {}, which has no range to fit it in", name, factor->value));
    }
    if (!factor) {
        throw cli::UsageError(fmt::format("--fit: no measured figure depends on {}", name));
    }
    for (const std::string& path : factor->paths) {
        if (said.contains(path)) {
            throw cli::UsageError(
                fmt::format("--fit: {} is set by the scenario, by --set or by a measurement; only what is left to "
                            "presets is fitted",
                            path));
        }
    }
    return Parameter(*factor);
}

bool share_a_path(const std::optional<Factor>& one, const std::optional<Factor>& other) {
    return one && other && std::ranges::any_of(one->paths, [&other](const std::string& path) {
               return std::ranges::find(other->paths, path) != other->paths.end();
           });
}

// Parameters that all hosts have alike stay alike, even if one host did not use them: the hosts are of one kind.
std::vector<Factor> of_all_hosts(std::vector<Factor> factors, const std::vector<Factor>& all) {
    for (Factor& factor : factors) {
        if (const auto whole = std::ranges::find(all, factor.name, &Factor::name); whole != all.end()) {
            factor = *whole;
        } else if (factor.paths.size() == 1) {
            factor.name = factor.paths.front();
        }
    }
    return factors;
}

// The largest relative change of a figure at an end of the range.
double largest_change(const Figures& figures, const std::vector<std::uint64_t>& before) {
    double largest = 0;
    for (std::size_t i = 0; figures && i < before.size(); ++i) {
        largest =
            std::max(largest, std::abs(std::log(static_cast<double>((*figures)[i]) / static_cast<double>(before[i]))));
    }
    return largest;
}

}  // namespace

Choice choose(const Question& question, Trials& trials, const std::vector<std::uint64_t>& before) {
    std::vector<const cli::Loaded*> scenarios;
    for (const cli::Loaded& loaded : trials.scenarios()) {
        scenarios.push_back(&loaded);
    }
    const auto idle = sensitivity::without_effect_in(scenarios);
    if (!idle) {
        throw sweep::Interrupted();
    }
    const Scenario& scenario = trials.scenarios().front().scenario;
    const std::vector<Factor> all = sensitivity::factors_of(scenario, {});
    const std::vector<Factor> factors = of_all_hosts(sensitivity::factors_of(scenario, *idle), all);
    const std::set<std::string> said = said_paths(trials);
    for (const std::string& name : question.kept) {
        refuse_unknown("--keep", name, all);
    }
    Choice choice;
    for (const std::string& name : question.fitted) {
        for (const std::string& kept : question.kept) {
            if (share_a_path(named(all, name), named(all, kept))) {
                throw cli::UsageError(fmt::format("--fit: {} is also to be kept (--keep {})", name, kept));
            }
        }
        for (const std::string& other : question.fitted) {
            if (&other < &name && share_a_path(named(all, name), named(all, other))) {
                throw cli::UsageError(fmt::format("--fit: {} and {} are in part the same", other, name));
            }
        }
        choice.parameters.push_back(parameter_named(name, factors, all, said));
    }
    if (!question.fitted.empty()) {
        return choice;
    }

    std::vector<Parameter> estimates;
    for (const Factor& factor : factors) {
        const bool is_kept =
            std::ranges::any_of(question.kept, [&](const std::string& name) { return is_called(factor, name); });
        const bool is_said =
            std::ranges::any_of(factor.paths, [&](const std::string& path) { return said.contains(path); });
        if (factor.is_estimate && has_range(factor) && !is_kept && !is_said) {
            estimates.emplace_back(factor);
        }
    }
    std::vector<std::vector<std::string>> ends;
    for (const Parameter& estimate : estimates) {
        ends.push_back(estimate.overrides_at(0));
        ends.push_back(estimate.overrides_at(1));
    }
    const std::vector<Figures> figures = trials.run(ends);
    std::vector<std::pair<double, std::size_t>> changes;
    for (std::size_t i = 0; i < estimates.size(); ++i) {
        const double change =
            std::max(largest_change(figures[2 * i], before), largest_change(figures[2 * i + 1], before));
        if (change >= kMatters) {
            changes.emplace_back(change, i);
        }
    }
    std::ranges::stable_sort(changes, std::greater{}, &std::pair<double, std::size_t>::first);
    for (const auto& [change, i] : changes) {
        if (choice.parameters.size() < kMost) {
            choice.parameters.push_back(estimates[i]);
        } else {
            choice.left.push_back(estimates[i].factor().name);
        }
    }
    return choice;
}

}  // namespace ndsim::calibrate
