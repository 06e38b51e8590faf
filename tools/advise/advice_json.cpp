// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "scenarios/result/version.hpp"
#include "tools/advise/advice_text.hpp"
#include "tools/advise/cost.hpp"
#include "tools/advise/fixed_bounds.hpp"

namespace ndsim::advise {

using Json = nlohmann::ordered_json;

namespace {

Json to_json(const Trial& trial) {
    constexpr std::array<std::string_view, 3> kVerdicts{"met", "missed", "open"};
    Json limits = Json::array();
    for (const Limit& limit : trial.limits) {
        limits.push_back({{"what", limit.what},
                          {"parameter", limit.parameter},
                          {"value", limit.value},
                          {"assumed", limit.is_assumed}});
    }
    return {{"verdict", kVerdicts.at(static_cast<std::size_t>(trial.judgement.verdict))},
            {"reached_ppm", std::min<std::uint64_t>(trial.judgement.worst_ppm, 1'000'000)},
            {"found", trial.judgement.found},
            {"why", trial.judgement.why},
            {"mean_latency_ps", trial.latency.count()},
            {"goodput_bps", trial.goodput_of_all},
            {"times_as_long", trial.times},
            {"seed", trial.seed ? Json(*trial.seed) : Json(nullptr)},
            {"bound_by", std::move(limits)}};
}

Json to_json(const std::optional<std::uint64_t>& depth) {
    return depth ? Json(*depth) : Json(nullptr);
}
Json to_json(const Advice& advice, const std::map<std::size_t, std::optional<std::uint64_t>>& depths) {
    Json json = Json::object();
    for (const auto& [dimension, depth] : depths) {
        json[advice.dimensions.all[dimension].name] = to_json(depth);
    }
    return json;
}

Json to_json(const Dimension& dimension, const Curve& curve, const Alone& alone) {
    const bool has_bound = is_bounded(dimension, curve.steps, alone);
    Json steps = Json::array();
    for (const auto& [depth, trial] : curve.steps) {
        const auto bound = has_bound ? measured_bound(dimension, depth, alone) : std::nullopt;
        Json step{{"depth", depth}, {"at_most_bps", to_json(bound)}};
        step.update(to_json(trial));
        steps.push_back(std::move(step));
    }
    Json paths = Json::array();
    for (const Dimension::Setting& setting : dimension.settings) {
        paths.push_back(setting.path);
    }
    return {{"name", dimension.name},
            {"paths", std::move(paths)},
            {"step", dimension.quantity ? Json(text_of(dimension, 1)) : Json(nullptr)},
            {"lowest", dimension.low},
            {"scenario_has", dimension.own},
            {"chip_bytes_each", dimension.chip_bytes},
            {"host_bytes_each", dimension.host_bytes},
            {"cost_each", to_json(dimension.weight)},
            {"payload_each", dimension.payload},
            {"smallest", to_json(curve.smallest)},
            {"monotone", !curve.exception && !curve.fall},
            {"falls", curve.fall ? Json{{"from", curve.fall->from}, {"to", curve.fall->to}} : Json(nullptr)},
            {"curve", std::move(steps)}};
}

Json to_json(const std::optional<Trial>& trial) {
    return trial ? to_json(*trial) : Json(nullptr);
}

// With the dimension that has more, if this is what broke the depths.
Json below_json(const Advice& advice, const std::optional<Trial>& below) {
    Json json = to_json(below);
    if (below) {
        const auto& more = below->raised;
        json["with_more_of"] =
            more ? Json{{"name", advice.dimensions.all[more->dimension].name}, {"depth", more->depth}} : Json(nullptr);
    }
    return json;
}

Json depths_json(const Advice& advice, const Depths& depths) {
    Json json = Json::object();
    for (std::size_t i = 0; i < depths.size(); ++i) {
        if (depths[i] != kRoomy || advice.dimensions.all[i].breaks != Break::overrun) {
            json[advice.dimensions.all[i].name] = depths[i];
        }
    }
    return json;
}

Json to_json(const Advice& advice, const Build& build) {
    Json safe = Json::object();
    Json least_seen = Json::object();
    Json below_least = Json::object();
    Json one_more = Json::object();
    for (std::size_t i = 0; i < advice.dimensions.all.size(); ++i) {
        const Dimension& dimension = advice.dimensions.all[i];
        const bool is_safe = dimension.breaks != Break::receives;
        safe[dimension.name] = is_safe ? Json(build.joint.depths[i]) : Json(nullptr);
        least_seen[dimension.name] = to_json(build.least_seen[i]);
        below_least[dimension.name] = below_json(advice, build.below_least[i]);
        one_more[dimension.name] = to_json(build.one_more[i]);
    }
    return {{"depths", depths_json(advice, build.joint.depths)},
            {"overrides", build.overrides},
            {"safe", std::move(safe)},
            {"least_seen", std::move(least_seen)},
            {"chip_bytes", chip_bytes(advice.dimensions.all, build.joint.depths)},
            {"host_bytes", host_bytes(advice.dimensions.all, build.joint.depths)},
            {"trial", to_json(build.joint.trial)},
            {"below_least_seen", std::move(below_least)},
            {"as_it_is", to_json(build.as_it_is)},
            {"one_more", std::move(one_more)}};
}

}  // namespace

Json advice_json(const Question& question, const Scenario& scenario, const Advice& advice) {
    Json targets = Json::array();
    std::ranges::transform(question.targets, std::back_inserter(targets), &Target::text);
    Json dimensions = Json::array();
    for (std::size_t i = 0; i < advice.curves.size(); ++i) {
        dimensions.push_back(to_json(advice.dimensions.all[i], advice.curves[i], advice.alone));
    }
    Json held = Json::array();
    for (const HeldDepth& each : advice.dimensions.held) {
        held.push_back({{"path", each.path}, {"value", each.value}});
    }
    Json unsafe = Json::array();
    for (const UnsafeQueue& each : advice.unsafe) {
        unsafe.push_back({{"queue", each.name}, {"depth", each.depth}, {"safe", each.safe}});
    }
    Json others = Json::array();
    for (const Depths& other : advice.others) {
        others.push_back(depths_json(advice, other));
    }
    Json assumed = Json::array();
    for (const Assumed& each : advice.assumed) {
        assumed.push_back({{"parameter", each.limit.parameter},
                           {"value", each.limit.value},
                           {"low", each.low},
                           {"high", each.high},
                           {"smallest_at_low", to_json(advice, each.smallest_at_low)},
                           {"smallest_at_high", to_json(advice, each.smallest_at_high)},
                           {"open_at_low", each.is_open_at_low},
                           {"open_at_high", each.is_open_at_high}});
    }
    Json bounds = Json::array();
    for (const Bound& bound : fixed_bounds(scenario)) {
        bounds.push_back({{"what", bound.what},
                          {"rate_bps", bound.rate},
                          {"messages_per_second", bound.messages},
                          {"of_all", bound.is_of_all}});
    }
    return {{"ndsim", version()},
            {"file", std::filesystem::path(question.scenario.file).filename().string()},
            {"command", question.command},
            {"parameters", to_json(question.settings)},
            {"targets", std::move(targets)},
            {"windows_follow_queues", advice.dimensions.windows_follow()},
            {"tries", {{"seeds", advice.tries.seeds}, {"jitter_ps", advice.tries.jitter.count()}}},
            {"runs", advice.runs},
            {"out_of_time", advice.is_out_of_time},
            {"held", std::move(held)},
            {"overrides", advice.dimensions.overrides},
            {"bounds", std::move(bounds)},
            {"generous", to_json(advice.generous)},
            {"build", advice.build ? to_json(advice, *advice.build) : Json(nullptr)},
            {"others", std::move(others)},
            {"unsafe", std::move(unsafe)},
            {"dimensions", std::move(dimensions)},
            {"assumed", std::move(assumed)}};
}

}  // namespace ndsim::advise
