// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/expectations_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <variant>
#include <vector>

#include "tools/cli/figures.hpp"
#include "tools/cli/foremost.hpp"

namespace ndsim::cli {

namespace {

constexpr std::size_t kLongest = 100;
constexpr std::size_t kShownEach = 4;
constexpr std::size_t kMostOfOneKind = kMostRows;  // met, or not met

std::string shortened(const std::string& text) {
    return text.size() <= kLongest ? text : text.substr(0, kLongest - 3) + "...";
}

using Group = std::span<const Verdict>;  // one expectation of the file: several if it names a counted post

std::vector<Group> groups_of(const std::vector<Verdict>& verdicts) {
    std::vector<Group> groups;
    Group rest(verdicts);
    while (!rest.empty()) {
        const auto other = std::find_if(rest.begin(), rest.end(),
                                        [&](const Verdict& verdict) { return verdict.path != rest.front().path; });
        groups.push_back(rest.first(static_cast<std::size_t>(other - rest.begin())));
        rest = rest.subspan(groups.back().size());
    }
    return groups;
}

bool is_met(const Verdict& verdict) {
    return verdict.met;
}

// The figure of a metric is of interest even if it is as expected.
std::string met_line(const Scenario& scenario, Group group, const Paint& paint) {
    const Verdict& first = group.front();
    const bool is_metric =
        std::any_of(scenario.expect.begin(), scenario.expect.end(), [&](const Expectation& expectation) {
            return expectation.path == first.path && std::holds_alternative<MetricExpectation>(expectation.what);
        });
    std::string more = is_metric ? ": " + rounded(first.found) : "";
    if (group.size() > 1) {
        more = fmt::format(", and {} more like it", group.size() - 1);
    }
    return fmt::format("  {}      {}{}\n", paint.good("met"), shortened(first.what), more);
}

std::string unmet_lines(const Scenario& scenario, Group group, const Paint& paint) {
    std::string text;
    std::size_t shown = 0;
    for (const Verdict& verdict : group) {
        if (!verdict.met && ++shown <= kShownEach) {
            text += fmt::format("  {}  {}\n           found: {}\n           at {}:{}\n", paint.bad("NOT met"),
                                shortened(verdict.what), shortened(verdict.found), scenario.file, to_text(verdict.at));
        }
    }
    if (shown > kShownEach) {
        text += fmt::format("  {}  and {} more like these\n", paint.bad("NOT met"), shown - kShownEach);
    }
    return text;
}

}  // namespace

std::string expectations_text(const Scenario& scenario, const RunResult& result, const Paint& paint) {
    std::string text = "\n" + paint.strong("Expectations");
    if (scenario.expect.empty()) {
        return text + ": none in the scenario\n";
    }
    if (result.verdicts.empty()) {
        return text + ": not checked, since the run did not finish\n";
    }
    const auto met = std::count_if(result.verdicts.begin(), result.verdicts.end(), is_met);
    text += fmt::format(": {} of {} met\n", met, result.verdicts.size());
    std::size_t whole = 0;
    std::size_t broken = 0;
    for (const Group group : groups_of(result.verdicts)) {
        if (std::all_of(group.begin(), group.end(), is_met)) {
            text += ++whole <= kMostOfOneKind ? met_line(scenario, group, paint) : "";
        } else {
            text += ++broken <= kMostOfOneKind ? unmet_lines(scenario, group, paint) : "";
        }
    }
    const auto rest = [](std::size_t count) { return count - std::min(count, kMostOfOneKind); };
    return text + others_below(rest(whole), 0, "that are met") + others_below(rest(broken), 0, "that are not met");
}

std::string unmet_text(const Scenario& scenario, const RunResult& result, const Paint& paint) {
    std::string text;
    for (const Group group : groups_of(result.verdicts)) {
        text += unmet_lines(scenario, group, paint);
    }
    return text;
}

}  // namespace ndsim::cli
