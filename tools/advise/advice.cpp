// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "sim/config/quantity.hpp"
#include "tools/advise/halves.hpp"
#include "tools/advise/trial.hpp"

namespace ndsim::advise {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kMostAssumed = 3;

// Runs depths as points of the scenario.
class Points {
public:
    Points(const Question& question, const Scenario& scenario, const std::vector<Dimension>& dimensions,
           sweep::PointRunner& runner, std::function<void(const sweep::PointsDone&)> on_wait)
        : question_(question),
          scenario_(scenario),
          dimensions_(dimensions),
          judge_(scenario, question.targets),
          runner_(runner),
          on_wait_(std::move(on_wait)) {}

    // `also` are overrides of these points alone.
    [[nodiscard]] std::optional<std::vector<Trial>> run(const std::vector<Depths>& depths,
                                                        const std::vector<std::string>& also = {}) {
        std::vector<sweep::Point> points;
        for (const Depths& each : depths) {
            points.push_back(point_of(each, also));
        }
        if (!runner_.run(points, on_wait_)) {
            return std::nullopt;
        }
        std::vector<Trial> trials;
        for (std::size_t i = 0; i < points.size(); ++i) {
            trials.push_back(trial_of(judge_, runner_.result_of(points[i].key), scenario_));
            name_dimensions(trials.back(), depths[i]);
        }
        return trials;
    }

private:
    // A window that follows a queue is the queue.
    void name_dimensions(Trial& trial, const Depths& depths) const {
        for (Limit& limit : trial.limits) {
            for (std::size_t i = 0; i < depths.size(); ++i) {
                if (sets(dimensions_[i], limit.parameter)) {
                    limit = limit_of(dimensions_[i], depths[i]);
                }
            }
        }
    }

    [[nodiscard]] sweep::Point point_of(const Depths& depths, const std::vector<std::string>& also) const {
        sweep::Point point{question_.scenario.overrides, {}};
        const auto add = [&point](const std::vector<std::string>& more) {
            point.overrides.insert(point.overrides.end(), more.begin(), more.end());
        };
        add(counts_for(scenario_, dimensions_));
        for (std::size_t i = 0; i < depths.size(); ++i) {
            add(overrides_of(dimensions_[i], depths[i]));
        }
        add(also);
        point.key = sweep::key_of(cli::load({question_.scenario.file, point.overrides}));
        return point;
    }

    const Question& question_;
    const Scenario& scenario_;
    const std::vector<Dimension>& dimensions_;
    Judge judge_;
    sweep::PointRunner& runner_;
    std::function<void(const sweep::PointsDone&)> on_wait_;
};

std::vector<Span> spans_of(const std::vector<Dimension>& dimensions) {
    std::vector<Span> spans;
    std::ranges::transform(dimensions, std::back_inserter(spans), [](const Dimension& each) {
        return Span{each.low, each.generous};
    });
    return spans;
}

// Each dimension is the first to be made small once: what is cheap in one of these orders is dear in another.
std::vector<Joint> joints(Search& search, const std::vector<Dimension>& dimensions) {
    std::vector<Joint> joints;
    std::vector<std::size_t> order(dimensions.size());
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t first = 0; first < order.size(); ++first) {
        joints.push_back(search.joint(order));
        std::rotate(order.begin(), order.begin() + 1, order.end());
    }
    joints = pareto_front(std::move(joints));
    std::ranges::stable_sort(joints, {}, [&dimensions](const Joint& joint) {
        return std::pair{chip_bytes(dimensions, joint.depths), host_bytes(dimensions, joint.depths)};
    });
    return joints;
}

// An estimate that binds where a depth is one less than it must be, by itself or together with the others, and the
// dimensions of which that is so.
struct Binding {
    Limit limit;
    std::set<std::size_t> dimensions;
};

std::vector<Binding> assumed_limits(const Advice& advice) {
    std::vector<Binding> found;
    const auto look = [&found](const Trial& trial, std::size_t dimension) {
        for (const Limit& limit : trial.limits) {
            if (!limit.is_assumed) {
                continue;
            }
            const auto known = std::ranges::find_if(
                found, [&](const Binding& each) { return each.limit.parameter == limit.parameter; });
            Binding& binding = known == found.end() ? found.emplace_back(Binding{limit, {}}) : *known;
            binding.dimensions.insert(dimension);
        }
    };
    for (std::size_t i = 0; i < advice.dimensions.size(); ++i) {
        const Curve& curve = advice.curves[i];
        look(advice.front.front().one_less[i], i);
        if (const auto at = curve.steps.find(curve.smallest.value_or(0)); at != curve.steps.begin()) {
            look(std::prev(at)->second, i);
        }
    }
    found.resize(std::min(found.size(), kMostAssumed));
    return found;
}

std::map<std::size_t, std::optional<std::uint64_t>> smallest_with(Points& points,
                                                                  const std::vector<Dimension>& dimensions,
                                                                  const std::set<std::size_t>& of,
                                                                  const std::string& override_text) {
    Search search(spans_of(dimensions),
                  [&](const std::vector<Depths>& depths) { return points.run(depths, {override_text}); });
    const std::vector<Curve> curves = search.curves(of);
    std::map<std::size_t, std::optional<std::uint64_t>> smallest;
    for (const std::size_t dimension : of) {
        smallest[dimension] = curves[dimension].smallest;
    }
    return smallest;
}

std::uint64_t sum_of(const std::vector<Dimension>& dimensions, const Depths& depths, std::uint64_t Dimension::*bytes) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < depths.size(); ++i) {
        sum += depths[i] * dimensions[i].*bytes;
    }
    return sum;
}

std::uint64_t seeds_that_hold(Points& points, const Depths& depths, std::uint64_t first) {
    std::uint64_t hold = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const auto trials = points.run({depths}, {fmt::format("seed={}", first + seed)});
        if (!trials) {
            throw Interrupted();
        }
        hold += trials->front().holds() ? 1 : 0;
    }
    return hold;
}

// With one message outstanding it never waits for another; with one Read outstanding, how many there are says how long
// each of them is.
Alone alone_in(const Scenario& scenario, const Advice& advice) {
    Alone alone;
    for (std::size_t i = 0; i < advice.dimensions.size(); ++i) {
        const auto& [depth, trial] = *advice.curves[i].steps.begin();
        if (advice.dimensions[i].name.ends_with(" SQ") && alone.message == Picoseconds{0}) {
            alone.message = trial.latency;
        }
        if (advice.dimensions[i].holds_reads && alone.read == Picoseconds{0}) {
            alone.read = time_under_way(scenario.traffic.front(), depth, trial.goodput);
        }
    }
    return alone;
}

// Whether the scenario can have that value.
bool is_possible(const Question& question, const std::string& override_text) {
    std::vector<std::string> overrides = question.scenario.overrides;
    overrides.push_back(override_text);
    try {
        static_cast<void>(cli::load({question.scenario.file, overrides}));
        return true;
    } catch (const ConfigError&) {
        return false;
    }
}

void add_assumed(Advice& advice, const Question& question, Points& points) {
    for (const Binding& binding : assumed_limits(advice)) {
        const std::string& parameter = binding.limit.parameter;
        const auto halves = half_and_twice(binding.limit.value);
        const bool is_dimension =
            std::ranges::any_of(advice.dimensions, [&](const Dimension& each) { return sets(each, parameter); });
        if (!halves || is_dimension || !is_possible(question, parameter + "=" + halves->half) ||
            !is_possible(question, parameter + "=" + halves->twice)) {
            continue;
        }
        const auto smallest = [&](const std::string& value) {
            return smallest_with(points, advice.dimensions, binding.dimensions, parameter + "=" + value);
        };
        advice.assumed.push_back(
            {binding.limit, halves->half, halves->twice, smallest(halves->half), smallest(halves->twice)});
    }
}

}  // namespace

std::uint64_t chip_bytes(const std::vector<Dimension>& dimensions, const Depths& depths) {
    return sum_of(dimensions, depths, &Dimension::chip_bytes);
}
std::uint64_t host_bytes(const std::vector<Dimension>& dimensions, const Depths& depths) {
    return sum_of(dimensions, depths, &Dimension::host_bytes);
}

Advice advise(const Question& question, sweep::PointRunner& runner,
              const std::function<void(const sweep::PointsDone&)>& on_wait) {
    const Scenario scenario = cli::load(question.scenario).scenario;
    Advice advice;
    advice.fills = Judge(scenario, question.targets).only_rates();
    advice.dimensions = dimensions_of(scenario, advice.fills);
    Points points(question, scenario, advice.dimensions, runner, on_wait);
    Search search(spans_of(advice.dimensions),
                  [&points](const std::vector<Depths>& depths) { return points.run(depths); });
    advice.generous = search.at(search.generous());
    advice.curves = search.curves();
    advice.alone = alone_in(scenario, advice);
    for (std::size_t i = 0; i < advice.dimensions.size() && advice.fills; ++i) {
        name_what_helps(advice.curves[i], advice.dimensions[i]);
    }
    if (!advice.generous.holds()) {
        return advice;
    }
    advice.front = joints(search, advice.dimensions);
    add_assumed(advice, question, points);
    const bool about_rnr =
        std::ranges::any_of(question.targets, [](const Target& target) { return target.kind == TargetKind::no_rnr; });
    if (about_rnr) {
        advice.seeds_without_rnr = seeds_that_hold(points, advice.front.front().depths, scenario.seed);
    }
    return advice;
}

}  // namespace ndsim::advise
