// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/run_length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "scenarios/format/connections.hpp"

namespace ndsim::advise {

namespace {

constexpr std::uint64_t kRounds = 10;  // windows in a run
// A run that lasts has so many times the messages that may wait for polls: these are then 2 % of it, the most with
// which polls keep up (steadiness.hpp).
constexpr std::uint64_t kStocks = 50;

// The largest window of the generator in the search; none: the window stays as it is.
std::optional<std::uint64_t> largest_window(const std::vector<Dimension>& dimensions, const Traffic& traffic) {
    const std::string window = "traffic." + traffic.name + ".window";
    for (const Dimension& dimension : dimensions) {
        const auto setting = std::ranges::find(dimension.settings, window, &Dimension::Setting::path);
        if (setting != dimension.settings.end()) {
            return std::min(dimension.generous * setting->factor, setting->most);
        }
    }
    return std::nullopt;
}

std::uint64_t count_of(const Traffic& traffic, std::optional<std::uint64_t> window) {
    return std::max(kRounds * window.value_or(0), traffic.count);
}

// The messages of a generator that may have arrived and wait for a poll.
std::uint64_t most_waiting(const Scenario& scenario, const Traffic& traffic) {
    if (traffic.operation != TrafficOperation::send) {
        return traffic.window;
    }
    if (!traffic.srq.name.empty()) {
        return traffic.srq.ahead;
    }
    return traffic.receives != 0 ? traffic.receives : queue_pair_at(scenario, traffic.to).rq.depth;
}

}  // namespace

// Behind the last post a core only polls, which is faster. So the window ends before that, if all generators have the
// same window.
std::vector<std::string> counts_for(const Scenario& scenario, const std::vector<Dimension>& dimensions,
                                    std::uint64_t times, const MoreMessages& more) {
    std::vector<std::string> overrides;
    std::set<std::uint64_t> windows;
    for (const Traffic& traffic : scenario.traffic) {
        const auto outstanding = largest_window(dimensions, traffic);
        const auto own = more.find(traffic.name);
        const std::uint64_t count = times * count_of(traffic, outstanding) * (own == more.end() ? 1 : own->second);
        if (count > traffic.count) {
            overrides.push_back(fmt::format("traffic.{}.count={}", traffic.name, count));
        }
        const std::uint64_t ends = scenario.measure.warmup.value_or(count / kRounds) + outstanding.value_or(0);
        windows.insert(outstanding && count > ends ? count - ends : 0);
    }
    if (scenario.measure.window != 0 && times > 1) {
        overrides.push_back(fmt::format("measure.window={}", times * scenario.measure.window));
    } else if (scenario.measure.window == 0 && windows.size() == 1 && *windows.begin() > 0) {
        overrides.push_back(fmt::format("measure.window={}", *windows.begin()));
    }
    return overrides;
}

std::uint64_t lasting_times(const Scenario& generous, const std::vector<Dimension>& dimensions) {
    std::uint64_t times = 1;
    for (const Traffic& traffic : generous.traffic) {
        const std::uint64_t count = count_of(traffic, largest_window(dimensions, traffic));
        const std::uint64_t measured = generous.measure.window == 0 ? count : std::min(count, generous.measure.window);
        times = std::max(times, (kStocks * most_waiting(generous, traffic) + measured - 1) / measured);
    }
    return times;
}

bool can_be_longer(const Scenario& scenario) {
    return std::ranges::none_of(scenario.traffic,
                                [](const Traffic& traffic) { return traffic.arrivals == ArrivalKind::trace; });
}

}  // namespace ndsim::advise
