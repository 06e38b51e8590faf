// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/adviser.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "tools/advise/assumed.hpp"
#include "tools/advise/cost.hpp"
#include "tools/advise/safe_depth.hpp"
#include "tools/advise/spans.hpp"
#include "tools/advise/trial.hpp"

namespace ndsim::advise {

namespace {

// Generators of which each message is like any other's.
bool are_of_one_kind(const std::vector<Traffic>& generators) {
    return std::ranges::all_of(generators, [&](const Traffic& each) {
        return each.operation == generators.front().operation && each.sizes == generators.front().sizes;
    });
}

// With one message outstanding, messages never wait for each other: their rate gives the time of each.
Alone alone_in(const Scenario& scenario, const Advice& advice) {
    Alone alone;
    if (!are_of_one_kind(scenario.traffic)) {
        return alone;
    }
    for (std::size_t i = 0; i < advice.dimensions.all.size(); ++i) {
        const Dimension& dimension = advice.dimensions.all[i];
        const auto first = advice.curves[i].steps.begin();
        Picoseconds& one = dimension.holds_reads ? alone.read : alone.message;
        if (first != advice.curves[i].steps.end() && dimension.counts_messages && one == Picoseconds{0}) {
            one = time_under_way(scenario.traffic.front(), first->first, first->second.goodput);
        }
    }
    return alone;
}

// Completion queues of all hosts below their safe depth.
std::vector<UnsafeQueue> unsafe_queues(const Scenario& scenario) {
    std::vector<UnsafeQueue> unsafe;
    for (const Host& host : scenario.hosts) {
        std::set<std::string> queues;
        for (const QueuePair& qp : host.qps) {
            queues.insert({qp.send_cq, qp.receive_cq});
        }
        for (const std::string& queue : queues) {
            const std::uint64_t depth = cq_depth(host, queue);
            const std::uint64_t safe = most_completions(scenario, host, queue);
            if (depth < safe) {
                unsafe.push_back({host.name + "." + queue, depth, safe});
            }
        }
    }
    return unsafe;
}

}  // namespace

Adviser::Adviser(Advice& advice, const cli::ScenarioArguments& arguments, const Scenario& scenario, Points& points)
    : advice_(advice),
      arguments_(arguments),
      scenario_(scenario),
      points_(points),
      dimensions_(advice.dimensions.all),
      quiet_(spans_of(dimensions_), [this](const std::vector<Depths>& depths) { return points_.run(depths); }),
      steady_(spans_of(dimensions_), quiet_,
              [this](const std::vector<Depths>& depths) { return points_.run_tries(depths); }),
      tried_(spans_of(dimensions_), [this](const std::vector<Depths>& depths) { return steady_.trials_of(depths); }) {}

void Adviser::advise() {
    points_.expect(expected());
    advice_.curves.resize(dimensions_.size());
    try {
        take_steps();
    } catch (const OutOfTime&) {
        advice_.is_out_of_time = true;
        if (!advice_.build) {
            keep_what_holds();
        }
    }
    advice_.runs = points_.runs();
}

void Adviser::take_steps() {
    advice_.generous = tried_.at(tried_.generous());
    advice_.curves = quiet_.curves(searched());
    advice_.alone = alone_in(scenario_, advice_);
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        if (advice_.wanted.fills) {
            name_what_helps(advice_.curves[i], dimensions_[i]);
        }
        name_what_is_too_little(advice_.curves[i], dimensions_[i]);
    }
    if (!advice_.generous.holds()) {
        if (!advice_.generous.is_open()) {
            advice_.lowered = lowered();
            advice_.holds_as_given = !advice_.lowered && points_.run_tries({kAsGiven}).front().holds();
        }
        return;
    }
    Build build = built_on(with_safe_queues(joint()));
    advice_.unsafe = unsafe_queues(points_.scenario_with(build.joint.depths));
    add_least_completions(build);
    name_what_is_too_little(build, dimensions_);
    advice_.build = std::move(build);
    add_one_more(*advice_.build);
    advice_.assumed = assumed_in(advice_, arguments_, points_);
}

std::optional<Lowered> Adviser::lowered() {
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        std::vector<Depths> holding;  // with the scenario as it is, from the deepest on
        for (const auto& [depth, trial] : advice_.curves[i].steps) {
            if (trial.holds() && depth < dimensions_[i].generous) {
                holding.insert(holding.begin(), points_.generous());
                holding.front()[i] = depth;
            }
        }
        const std::vector<Trial> trials = points_.run_tries(holding);
        const auto holds = std::ranges::find_if(trials, &Trial::holds);
        if (holds != trials.end()) {
            return Lowered{i, holding[static_cast<std::size_t>(holds - trials.begin())][i]};
        }
    }
    return std::nullopt;
}

std::set<std::size_t> Adviser::searched() const {
    std::set<std::size_t> searched;
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        if (dimensions_[i].breaks != Break::overrun) {
            searched.insert(i);
        }
    }
    return searched;
}

std::size_t Adviser::expected() const {
    constexpr std::size_t kNear = 4;
    const std::size_t tries = 1 + advice_.tries.seeds;
    std::size_t points = tries;
    for (const Dimension& each : dimensions_) {
        const bool is_safe = each.breaks == Break::overrun;
        points += is_safe ? tries * kNear : 2 * std::bit_width(each.generous / each.low) + kNear + tries;
    }
    return points;
}

Depths Adviser::near() const {
    Depths depths = tried_.generous();
    for (std::size_t i = 0; i < depths.size(); ++i) {
        depths[i] = advice_.curves[i].smallest.value_or(depths[i]);
    }
    return depths;
}

bool Adviser::is_cheaper(const Depths& a, const Depths& b) const {
    return cost_of(dimensions_, a) < cost_of(dimensions_, b);
}

Joint Adviser::joint() {
    const Depths start = near();
    if (tried_.at(start).holds()) {
        Joint joint = tried_.joint_at(start);
        if (std::ranges::none_of(joint.one_less, [](const auto& less) { return less && less->holds(); })) {
            return joint;
        }
    }
    std::vector<std::size_t> order(dimensions_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::vector<Joint> joints;
    std::map<Depths, std::vector<std::size_t>> order_of;
    for (std::size_t first = 0; first < order.size(); ++first) {
        joints.push_back(quiet_.joint(order, start));
        order_of.emplace(joints.back().depths, order);
        std::rotate(order.begin(), order.begin() + 1, order.end());
    }
    joints = pareto_front(std::move(joints));
    std::ranges::stable_sort(joints, [this](const Joint& a, const Joint& b) { return is_cheaper(a.depths, b.depths); });
    const Depths& cheapest = joints.front().depths;
    Joint best = tried_.joint(order_of.at(cheapest), cheapest);
    for (const Joint& other : joints) {
        if (other.depths != best.depths && !std::ranges::equal(best.depths, other.depths, std::less_equal{}) &&
            tried_.at(other.depths).holds()) {
            advice_.others.push_back(other.depths);
        }
    }
    return best;
}

Joint Adviser::with_safe_queues(Joint joint) {
    const Depths safe = points_.with_safe_queues(joint.depths);
    if (safe != joint.depths) {
        const Trial trial = points_.run_tries({safe}).front();
        if (trial.holds()) {
            joint.depths = safe;
            joint.trial = trial;
        }
    }
    return joint;
}

Build Adviser::built_on(Joint joint) const {
    Build build;
    build.joint = std::move(joint);
    build.joint.depths = points_.with_roomy_queues(build.joint.depths);
    build.least_seen.resize(dimensions_.size());
    build.below_least = build.joint.one_less;
    build.one_more.resize(dimensions_.size());
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        if (dimensions_[i].breaks != Break::overrun) {
            build.least_seen[i] = build.joint.depths[i];
        }
    }
    build.overrides = points_.overrides_with(build.joint.depths);
    return build;
}

void Adviser::add_least_completions(Build& build) {
    std::vector<Span> spans;
    std::set<std::size_t> queues;
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        const bool is_queue = dimensions_[i].breaks == Break::overrun;
        spans.push_back({is_queue ? dimensions_[i].low : build.joint.depths[i], build.joint.depths[i]});
        if (is_queue) {
            queues.insert(i);
        }
    }
    Search tried(spans, [this](const std::vector<Depths>& depths) { return points_.run_tries(depths); });
    Search quiet(spans, [this](const std::vector<Depths>& depths) { return points_.run(depths); });
    const std::vector<Curve> curves = quiet.curves(queues);
    for (const std::size_t queue : queues) {
        advice_.curves[queue] = curves[queue];
        name_what_is_too_little(advice_.curves[queue], dimensions_[queue]);
        const std::uint64_t near = curves[queue].smallest.value_or(build.joint.depths[queue]);
        build.least_seen[queue] = tried.smallest(queue, near);
        if (build.least_seen[queue].value_or(spans[queue].low) > spans[queue].low) {
            Depths less = build.joint.depths;
            less[queue] = *build.least_seen[queue] - 1;
            build.below_least[queue] = tried.at(less);
        }
    }
}

void Adviser::add_one_more(Build& build) {
    std::vector<Depths> points{build.joint.depths};
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        if (dimensions_[i].breaks != Break::overrun && build.joint.depths[i] < dimensions_[i].generous) {
            points.push_back(build.joint.depths);
            ++points.back()[i];
            of.push_back(i);
        }
    }
    const std::vector<Trial> trials = points_.run(points);
    build.as_it_is = trials.front();
    for (std::size_t i = 0; i < of.size(); ++i) {
        build.one_more[of[i]] = trials[i + 1];
    }
}

void Adviser::keep_what_holds() {
    const Depths* best = nullptr;
    for (const auto& [depths, trial] : tried_.known()) {
        if (trial.holds() && (best == nullptr || is_cheaper(depths, *best))) {
            best = &depths;
        }
    }
    if (best != nullptr) {
        advice_.build = built_on({*best, tried_.known().at(*best), std::vector<std::optional<Trial>>(best->size())});
        std::ranges::fill(advice_.build->least_seen, std::nullopt);
    }
}

}  // namespace ndsim::advise
