// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tools/advise/advice_text.hpp"

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
            {"reached_ppm", trial.judgement.worst_ppm},
            {"found", trial.judgement.found},
            {"why", trial.judgement.why},
            {"mean_latency_ps", trial.latency.count()},
            {"bound_by", std::move(limits)}};
}

Json to_json(const std::optional<std::uint64_t>& depth) {
    return depth ? Json(*depth) : Json(nullptr);
}
Json to_json(const Advice& advice, const std::map<std::size_t, std::optional<std::uint64_t>>& depths) {
    Json json = Json::object();
    for (const auto& [dimension, depth] : depths) {
        json[advice.dimensions[dimension].name] = to_json(depth);
    }
    return json;
}

Json to_json(const Dimension& dimension, const Curve& curve, const Alone& alone) {
    Json steps = Json::array();
    for (const auto& [depth, trial] : curve.steps) {
        Json step{{"depth", depth}, {"at_most_bps", to_json(little_bound(dimension, depth, alone))}};
        step.update(to_json(trial));
        steps.push_back(std::move(step));
    }
    Json paths = Json::array();
    for (const Dimension::Setting& setting : dimension.settings) {
        paths.push_back(setting.path);
    }
    return {{"name", dimension.name},
            {"paths", std::move(paths)},
            {"lowest", dimension.low},
            {"scenario_has", dimension.own},
            {"chip_bytes_each", dimension.chip_bytes},
            {"host_bytes_each", dimension.host_bytes},
            {"smallest", to_json(curve.smallest)},
            {"monotone", !curve.exception && !curve.fall},
            {"falls", curve.fall ? Json{{"from", curve.fall->from}, {"to", curve.fall->to}} : Json(nullptr)},
            {"curve", std::move(steps)}};
}

Json to_json(const Advice& advice, const Joint& joint) {
    Json depths = Json::object();
    Json one_less = Json::object();
    for (std::size_t i = 0; i < joint.depths.size(); ++i) {
        depths[advice.dimensions[i].name] = joint.depths[i];
        one_less[advice.dimensions[i].name] = to_json(joint.one_less[i]);
    }
    return {{"depths", std::move(depths)},
            {"chip_bytes", chip_bytes(advice.dimensions, joint.depths)},
            {"host_bytes", host_bytes(advice.dimensions, joint.depths)},
            {"trial", to_json(joint.trial)},
            {"one_less", std::move(one_less)}};
}

}  // namespace

Json advice_json(const Question& question, const Advice& advice) {
    Json targets = Json::array();
    std::ranges::transform(question.targets, std::back_inserter(targets), &Target::text);
    Json dimensions = Json::array();
    for (std::size_t i = 0; i < advice.dimensions.size(); ++i) {
        dimensions.push_back(to_json(advice.dimensions[i], advice.curves[i], advice.alone));
    }
    Json together = Json::array();
    for (const Joint& joint : advice.front) {
        together.push_back(to_json(advice, joint));
    }
    Json assumed = Json::array();
    for (const Assumed& each : advice.assumed) {
        assumed.push_back({{"parameter", each.limit.parameter},
                           {"value", each.limit.value},
                           {"low", each.low},
                           {"high", each.high},
                           {"smallest_at_low", to_json(advice, each.smallest_at_low)},
                           {"smallest_at_high", to_json(advice, each.smallest_at_high)}});
    }
    return {{"file", std::filesystem::path(question.scenario.file).filename().string()},
            {"targets", std::move(targets)},
            {"windows_follow_queues", advice.fills},
            {"generous", to_json(advice.generous)},
            {"dimensions", std::move(dimensions)},
            {"together", std::move(together)},
            {"assumed", std::move(assumed)},
            {"seeds_that_hold", to_json(advice.seeds_without_rnr)}};
}

}  // namespace ndsim::advise
