// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/expectations_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace ndsim::cli {

namespace {

constexpr std::size_t kLongest = 100;
constexpr std::size_t kShownEach = 4;

std::string shortened(const std::string& text) {
    return text.size() <= kLongest ? text : text.substr(0, kLongest - 3) + "...";
}

// The verdicts on one expectation of the file: several if it names a counted post.
std::string group_text(const Scenario& scenario, std::span<const Verdict> group, const Paint& paint) {
    const auto failed = static_cast<std::size_t>(
        std::count_if(group.begin(), group.end(), [](const Verdict& verdict) { return !verdict.met; }));
    const std::string place = fmt::format("{}:{}", scenario.file, to_text(group.front().at));
    if (failed == 0) {
        const std::string more = group.size() > 1 ? fmt::format(", and {} more like it", group.size() - 1) : "";
        return fmt::format("  {}      {}{}\n", paint.good("met"), shortened(group.front().what), more);
    }
    std::string text;
    std::size_t shown = 0;
    for (const Verdict& verdict : group) {
        if (verdict.met || shown == kShownEach) {
            continue;
        }
        ++shown;
        text += fmt::format("  {}  {}\n           found: {}\n           {}\n", paint.bad("NOT met"),
                            shortened(verdict.what), shortened(verdict.found), paint.faint(place));
    }
    if (failed > shown) {
        text += fmt::format("  {}  and {} more like these\n", paint.bad("NOT met"), failed - shown);
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
        return text + ": not looked at, since the run did not finish\n";
    }
    const auto met = std::count_if(result.verdicts.begin(), result.verdicts.end(),
                                   [](const Verdict& verdict) { return verdict.met; });
    text += fmt::format(": {} of {} met\n", met, result.verdicts.size());
    std::span<const Verdict> rest(result.verdicts);
    while (!rest.empty()) {
        const auto other = std::find_if(rest.begin(), rest.end(), [&](const Verdict& verdict) {
            return verdict.path != rest.front().path || verdict.at != rest.front().at;
        });
        const auto count = static_cast<std::size_t>(other - rest.begin());
        text += group_text(scenario, rest.first(count), paint);
        rest = rest.subspan(count);
    }
    return text;
}

}  // namespace ndsim::cli
