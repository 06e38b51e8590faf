// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/lane_shares.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/result/traffic_ends.hpp"
#include "sim/base/histogram.hpp"
#include "tools/advise/metrics_in.hpp"
#include "tools/cli/figures.hpp"

namespace ndsim::advise {

using Json = nlohmann::ordered_json;

namespace {

// Whether a generator was done before the time in which all are measured.
bool had_ended(const Json& metrics, const Traffic& traffic) {
    const std::string name = "traffic." + traffic.name;
    const Json* const shared = metric_in(metrics, name + ".shared_goodput");
    return shared != nullptr && shared->at("value") == 0 && value_in(metrics, name + ".goodput") > 0;
}

// Whether a generator moved something in no more than three of the 20 batches of that time: its interval is then wider
// than its rate. It may have been nearly done, or too slow for so short a time.
bool was_hardly_there(const Json& metrics, const Traffic& traffic) {
    return value_in(metrics, "traffic." + traffic.name + ".shared_interval") > kMillion;
}

}  // namespace

std::uint64_t ppm(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<std::uint64_t>(WideSum{part} * kMillion / whole);
}

std::string_view goodput_figure(const Scenario& scenario) {
    return scenario.traffic.size() + scenario.dma.size() == 1 ? ".goodput" : ".shared_goodput";
}

LaneShares::LaneShares(const Scenario& scenario)
    : scenario_(scenario), lanes_(lanes_that_count(scenario)), together_(generators_together(scenario)) {}

// The interval of what all on this lane reach together; null: they were measured for too short a time.
const Json* LaneShares::interval_on(const SharedLane& lane, const Json& metrics) const {
    if (goodput_figure(scenario_) == ".goodput") {
        return metric_in(metrics, "traffic." + lane.shares.front().generator->name + ".interval");
    }
    if (lane.shares.size() == 1) {
        return metric_in(metrics, "traffic." + lane.shares.front().generator->name + ".shared_interval");
    }
    const auto is_on_lane = [&](const Together& group) {
        return std::ranges::equal(
            group.generators, lane.shares, {}, [&](std::size_t index) { return scenario_.traffic[index].name; },
            [](const LaneShare& share) { return share.generator->name; });
    };
    return metric_in(metrics, "run." + std::ranges::find_if(together_, is_on_lane)->name + ".interval");
}

std::set<std::string> LaneShares::early(const Json& metrics) const {
    const auto time_of = [&](const Traffic& traffic) {
        const std::string name = "traffic." + traffic.name;
        const std::uint64_t rate = value_in(metrics, name + ".message_rate");
        return rate == 0 ? 0 : ppm(value_in(metrics, name + ".measured"), rate);
    };
    std::uint64_t longest = 0;
    bool has_any_ended = false;
    for (const Traffic& traffic : scenario_.traffic) {
        longest = std::max(longest, time_of(traffic));
        has_any_ended = has_any_ended || had_ended(metrics, traffic);
    }
    std::set<std::string> early;
    for (const Traffic& traffic : scenario_.traffic) {
        // Those that were measured behind the end of others had the lane for themselves: their times say nothing.
        const bool is_early = has_any_ended ? had_ended(metrics, traffic) : time_of(traffic) < longest / 5 * 4;
        if (scenario_.measure.window == 0 && is_early) {
            early.insert(traffic.name);
        }
    }
    return early;
}

std::vector<Figure> LaneShares::figures(const Json& metrics) const {
    const std::string goodput(goodput_figure(scenario_));
    std::vector<Figure> figures;
    for (const SharedLane& lane : lanes_) {
        Figure figure;
        std::string ended;  // a generator that was not measured together with the others
        bool is_short = false;
        for (const LaneShare& share : lane.shares) {
            const std::string name = "traffic." + share.generator->name;
            if (had_ended(metrics, *share.generator)) {
                ended = name;
            }
            is_short = is_short || was_hardly_there(metrics, *share.generator);
            figure.known = figure.known && metric_in(metrics, name + goodput) != nullptr;
            figure.value += ppm(value_in(metrics, name + goodput), share.rate.bits_per_second);
            figure.generators.push_back(name_of(*share.generator));
        }
        figure.text = fmt::format("{} % of line rate{}", cli::percent(figure.value, kMillion),
                                  lanes_.size() > 1 ? " on " + lane.name : "");
        const Json* const interval = interval_on(lane, metrics);
        figure.interval_ppm = interval == nullptr ? 0 : interval->at("value").get<std::uint64_t>();
        if (!ended.empty()) {
            figure.is_open = true;
            figure.text = ended + " had ended before all others were measured (raise its count)";
        } else if (is_short || (interval == nullptr && goodput == ".shared_goodput")) {
            figure.is_open = true;
            figure.text += ", in a time too short to tell";
        }
        figures.push_back(std::move(figure));
    }
    return figures;
}

}  // namespace ndsim::advise
