// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/trial.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "scenarios/result/traffic_ends.hpp"
#include "tools/advise/advice.hpp"
#include "tools/advise/metrics_in.hpp"

namespace ndsim::advise {

using Json = nlohmann::ordered_json;

namespace {

// Whether the limit may hold up one of these generators; none: all of them are asked about.
bool holds_up(const Json& limit, const std::vector<std::string>& generators) {
    const auto held_up = limit.at("generators").get<std::vector<std::string>>();
    return generators.empty() || held_up.empty() || std::ranges::find_first_of(held_up, generators) != held_up.end();
}

// In a closed loop a larger window lengthens latencies: it is a limit of rates only.
bool is_window_of_closed_loop(const Json& limit, const Scenario& scenario) {
    return limit.at("kind") == "window" && std::ranges::none_of(scenario.traffic, [&](const Traffic& traffic) {
               return traffic.arrivals != ArrivalKind::closed && limit.at("generators").front() == name_of(traffic);
           });
}

}  // namespace

// A depth of a queue pair is the NIC's, if the dimension sets that: hosts.A.qps.q0.sq.depth is hosts.A.nic.sq.depth.
bool sets(const Dimension& dimension, const std::string& parameter) {
    constexpr std::string_view kOfPair = ".qps.";
    std::string of_nic;
    if (const std::size_t at = parameter.find(kOfPair); at != std::string::npos) {
        const std::size_t depth = parameter.find('.', at + kOfPair.size());
        of_nic = parameter.substr(0, at) + ".nic" + (depth == std::string::npos ? "" : parameter.substr(depth));
    }
    return std::ranges::any_of(dimension.settings, [&](const Dimension::Setting& setting) {
        return setting.path == parameter || setting.path == of_nic;
    });
}

Limit limit_of(const Dimension& dimension, std::uint64_t depth) {
    return {dimension.name, dimension.settings.front().path, text_of(dimension, depth), false};
}

Trial trial_of(const Judge& judge, const Json& result, const Scenario& scenario, Longer longer) {
    Trial trial;
    trial.judgement = judge.judge(result, longer);
    const bool is_of_rates = std::ranges::any_of(judge.targets(), is_rate);
    for (const Json& limit : result.value("limits", Json::array())) {
        if (limit.at("binds").get<bool>() && holds_up(limit, trial.judgement.generators) &&
            (is_of_rates || !is_window_of_closed_loop(limit, scenario))) {
            trial.limits.push_back({limit.at("what"), limit.at("parameter"), limit.at("value"),
                                    limit.at("basis").get<std::string>() == "assumed"});
        }
    }
    const Json metrics = result.value("metrics", Json::object());
    const auto value = [&](const std::string& name) { return value_in(metrics, name); };
    // An overrun of a queue explains a run that did not end; a rate does not.
    for (const Host& host : scenario.hosts) {
        if (value(host.name + ".nic.cq.overruns") > 0) {
            trial.limits = {{"a CQ of " + host.name + " overran", {}, {}, false}};
        }
    }
    if (trial.judgement.worst_ppm == 0) {
        return trial;  // the rate of a run that broke off is meaningless
    }
    const std::string first = "traffic." + scenario.traffic.front().name;
    trial.latency = Picoseconds{static_cast<std::int64_t>(value(first + ".latency.mean"))};
    trial.goodput = value(first + ".goodput");
    for (const Traffic& traffic : scenario.traffic) {
        trial.goodput_of_all += value("traffic." + traffic.name + std::string(goodput_figure(scenario)));
        trial.messages_of_all += value("traffic." + traffic.name + ".message_rate");
    }
    return trial;
}

namespace {

void name_first(Trial& trial, const Dimension& dimension, std::uint64_t depth) {
    std::erase_if(trial.limits, [&](const Limit& limit) { return sets(dimension, limit.parameter); });
    trial.limits.insert(trial.limits.begin(), limit_of(dimension, depth));
}

// An overrun is a reason by itself.
bool has_overrun(const Trial& trial) {
    return trial.limits.size() == 1 && trial.limits.front().parameter.empty();
}

}  // namespace

void name_what_helps(Curve& curve, const Dimension& dimension) {
    constexpr std::uint64_t kThousand = 1000;
    constexpr std::uint64_t kNoticed =
        5;  // in a thousand; two runs differ by less than this at the ends of their windows
    for (auto at = curve.steps.begin(); at != curve.steps.end() && std::next(at) != curve.steps.end(); ++at) {
        auto& [depth, trial] = *at;
        if (std::next(at)->second.goodput_of_all * kThousand > trial.goodput_of_all * (kThousand + kNoticed)) {
            name_first(trial, dimension, depth);
        }
    }
}

void name_what_is_too_little(Curve& curve, const Dimension& dimension) {
    for (auto& [depth, trial] : curve.steps) {
        if (depth < curve.smallest.value_or(0) && trial.judgement.verdict == Verdict::missed && !has_overrun(trial)) {
            name_first(trial, dimension, depth);
        }
    }
}

void name_what_is_too_little(Build& build, const std::vector<Dimension>& dimensions) {
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        std::optional<Trial>& below = build.below_least[i];
        if (below && below->judgement.verdict == Verdict::missed && !below->raised && !has_overrun(*below)) {
            name_first(*below, dimensions[i], build.least_seen[i].value() - 1);
        }
    }
}

}  // namespace ndsim::advise
