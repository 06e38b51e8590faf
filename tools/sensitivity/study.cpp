// SPDX-License-Identifier: Apache-2.0
#include "tools/sensitivity/study.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/histogram.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/loaded.hpp"
#include "tools/sensitivity/idle.hpp"

namespace ndsim::sensitivity {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::uint64_t kMillion = 1'000'000;

// The rate of the first generator and its mean latency; without generators, the end of the run.
std::vector<std::string> usual_metrics(const Scenario& scenario) {
    if (scenario.traffic.empty()) {
        return {"run.ended"};
    }
    const std::string first = "traffic." + scenario.traffic.front().name;
    return {first + ".goodput", first + ".latency.mean"};
}

std::vector<std::string> overrides_of(const Factor& factor, const std::optional<std::string>& value) {
    std::vector<std::string> overrides;
    for (const std::string& path : factor.paths) {
        overrides.push_back(path + "=" + value.value_or(factor.value));
    }
    return overrides;
}

std::uint64_t differs_by(const Figure& figure, std::uint64_t base) {
    if (!figure) {
        return 0;
    }
    // From nothing, any change is larger than all relative ones.
    const std::uint64_t by = *figure > base ? *figure - base : base - *figure;
    const WideSum ppm = base == 0 ? WideSum{by} << 32U : WideSum{by} * kMillion / base;
    return static_cast<std::uint64_t>(std::min(ppm, WideSum{UINT64_MAX}));
}

bool matters(const Study& study, const Effect& effect, std::size_t metric) {
    return effect.factor.is_estimate && swing(effect, metric, study.base[metric]) >= kMatters;
}

// All estimates that matter to a metric, each at the end of its range where the metric is smaller, or larger with `up`.
std::vector<std::string> corner(const Study& study, std::size_t metric, bool up) {
    std::vector<std::string> overrides;
    for (const Effect& effect : study.effects) {
        const std::uint64_t base = study.base[metric];
        if (!matters(study, effect, metric)) {
            continue;
        }
        const std::uint64_t low = effect.low[metric].value_or(base);
        const std::uint64_t high = effect.high[metric].value_or(base);
        const bool is_low = up ? low > high : low < high;
        const std::uint64_t there = is_low ? low : high;
        if (up ? there > base : there < base) {
            const auto more = overrides_of(effect.factor, is_low ? effect.factor.low : effect.factor.high);
            overrides.insert(overrides.end(), more.begin(), more.end());
        }
    }
    return overrides;
}

void read_base(Study& study, const Json& result) {
    const Json metrics = result.value("metrics", Json::object());
    for (const std::string& name : study.metrics) {
        if (!metrics.contains(name)) {
            const auto why = result.value("why", std::string());
            throw cli::UsageError(
                why.empty() ? fmt::format("--metric: the run has no {}, for example because it has no samples", name)
                            : fmt::format("the run has no {}: {}", name, why));
        }
        study.base.push_back(metrics.at(name).at("value").get<std::uint64_t>());
        study.units.push_back(metrics.at(name).at("unit").get<std::string>());
    }
}

// Runs the corners of each metric. The range contains the figure of the scenario itself.
void run_corners(Study& study, Runs& runs, const Json& base) {
    std::vector<std::optional<sweep::Point>> points;
    for (const Corners& corners : study.corners) {
        points.push_back(runs.point(corners.low));
        points.push_back(runs.point(corners.high));
    }
    runs.run(points);
    for (std::size_t metric = 0; metric < study.metrics.size(); ++metric) {
        Span span{runs.figures(points[2 * metric], study.metrics, base)[metric],
                  runs.figures(points[2 * metric + 1], study.metrics, base)[metric]};
        if (span.low && span.high) {
            span = {std::min(*span.low, study.base[metric]), std::max(*span.high, study.base[metric])};
        }
        study.spans.push_back(span);
    }
}

// How many of the parameters without effect are tried all the same.
std::size_t tried_all_the_same(const std::vector<Factor>& factors, const Idle& idle) {
    std::ptrdiff_t count = 0;
    for (const Factor& factor : factors) {
        const bool is_tried = factor.low || factor.high;
        count += std::ranges::count_if(factor.paths,
                                       [&](const std::string& path) { return is_tried && idle.contains(path); });
    }
    return static_cast<std::size_t>(count);
}

}  // namespace

std::uint64_t swing(const Effect& effect, std::size_t metric, std::uint64_t base) {
    return std::max(differs_by(effect.low[metric], base), differs_by(effect.high[metric], base));
}

void take_single_ones(Study& study) {
    for (std::size_t metric = 0; metric < study.metrics.size(); ++metric) {
        Span& span = study.spans[metric];
        Corners& corners = study.corners[metric];
        for (const Effect& effect : study.effects) {
            if (!matters(study, effect, metric)) {
                continue;
            }
            for (const auto& [figure, end] : {std::pair(effect.low[metric], effect.factor.low),
                                              std::pair(effect.high[metric], effect.factor.high)}) {
                if (figure && span.low && *figure < *span.low) {
                    span.low = figure;
                    corners.low = overrides_of(effect.factor, end);
                    corners.low_alone = effect.factor.name;
                }
                if (figure && span.high && *figure > *span.high) {
                    span.high = figure;
                    corners.high = overrides_of(effect.factor, end);
                    corners.high_alone = effect.factor.name;
                }
            }
        }
    }
}

Study study(const std::vector<std::string>& metrics, Runs& runs, Tried tried) {
    const cli::Loaded loaded = cli::load(runs.scenario());
    Study study;
    study.metrics = metrics.empty() ? usual_metrics(loaded.scenario) : metrics;
    const auto scenario = runs.point({});
    runs.run({scenario});
    const Json base = runs.result(*scenario);
    read_base(study, base);

    const auto idle = without_effect_in({&loaded});
    if (!idle) {
        throw sweep::Interrupted();
    }
    std::vector<Factor> factors = factors_of(loaded.scenario, *idle);
    study.without_effect = idle->size() - tried_all_the_same(factors, *idle);
    std::erase_if(factors, [&](const Factor& each) {
        return (!each.low && !each.high) || (tried == Tried::estimates && !each.is_estimate);
    });
    study.parameters = factors.size();
    std::vector<std::optional<sweep::Point>> points;
    for (const Factor& factor : factors) {
        points.push_back(factor.low ? runs.point(overrides_of(factor, factor.low)) : std::nullopt);
        points.push_back(factor.high ? runs.point(overrides_of(factor, factor.high)) : std::nullopt);
    }
    runs.run(points);
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const Factor& factor = factors[i];
        const auto refusal = [&](const std::optional<std::string>& end) {
            return end ? runs.refusal(overrides_of(factor, end)) : std::string();
        };
        study.effects.push_back({factor, runs.figures(points[2 * i], study.metrics, base),
                                 runs.figures(points[2 * i + 1], study.metrics, base),
                                 points[2 * i] ? "" : refusal(factor.low),
                                 points[2 * i + 1] ? "" : refusal(factor.high)});
    }
    std::ranges::stable_sort(study.effects, std::greater{},
                             [&](const Effect& each) { return swing(each, 0, study.base[0]); });

    for (std::size_t metric = 0; metric < study.metrics.size(); ++metric) {
        const auto count =
            std::ranges::count_if(study.effects, [&](const Effect& each) { return matters(study, each, metric); });
        study.corners.push_back(
            {corner(study, metric, false), corner(study, metric, true), static_cast<std::size_t>(count)});
    }
    run_corners(study, runs, base);
    take_single_ones(study);
    return study;
}

}  // namespace ndsim::sensitivity
