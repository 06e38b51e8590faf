// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/search.hpp"

#include <algorithm>

namespace ndsim::advise {

namespace {

constexpr std::uint64_t kBehind = 3;  // depths tried behind the smallest, to reveal a saw-tooth

std::vector<std::uint64_t> powers_of_two(const Span& span) {
    std::vector<std::uint64_t> depths;
    for (std::uint64_t depth = std::max<std::uint64_t>(1, span.low); depth < span.high; depth *= 2) {
        depths.push_back(depth);
    }
    if (span.low == 0 && span.high > 0) {
        depths.insert(depths.begin(), 0);
    }
    depths.push_back(span.high);
    return depths;
}

// The deepest fall of the goodput, independent of the target: a deeper queue that is slower surprises.
std::optional<Fall> fall_of(const std::map<std::uint64_t, Trial>& steps) {
    constexpr double kFalls = 0.99;
    std::optional<Fall> fall;
    double deepest = kFalls;
    auto best = steps.begin();
    for (auto step = steps.begin(); step != steps.end(); ++step) {
        const auto most = static_cast<double>(best->second.goodput_of_all);
        const auto now = static_cast<double>(step->second.goodput_of_all);
        const bool has_ended = now > 0;  // the rate of a run that broke off is unknown
        if (has_ended && now < deepest * most) {
            deepest = now / most;
            fall = Fall{best->first, step->first};
        }
        if (now > most) {
            best = step;
        }
    }
    return fall;
}

// Draws the conclusions of the trials so far.
void conclude(Curve& curve) {
    curve.smallest.reset();
    curve.exception.reset();
    curve.fall = fall_of(curve.steps);
    bool held = false;
    for (const auto& [depth, trial] : curve.steps) {
        if (trial.holds()) {
            curve.smallest = curve.smallest.value_or(depth);
            held = true;
        } else {
            curve.smallest.reset();
            if (held && trial.judgement.verdict == Verdict::missed) {
                curve.exception = depth;
            }
        }
    }
}

// The depth halfway between the smallest that holds and the next lower one tried; none if they are neighbours.
std::optional<std::uint64_t> halfway(const Curve& curve) {
    if (!curve.smallest) {
        return std::nullopt;
    }
    const auto holds = curve.steps.find(*curve.smallest);
    if (holds == curve.steps.begin()) {
        return std::nullopt;
    }
    const std::uint64_t fails = std::prev(holds)->first;
    return holds->first - fails > 1 ? std::optional(fails + (holds->first - fails) / 2) : std::nullopt;
}

bool is_at_most(const Depths& a, const Depths& b) {
    return std::ranges::equal(a, b, std::less_equal{});
}

}  // namespace

Depths Search::generous() const {
    Depths depths;
    std::ranges::transform(spans_, std::back_inserter(depths), &Span::high);
    return depths;
}

std::vector<Trial> Search::ask(const std::vector<Depths>& points) {
    std::set<Depths> unknown;
    std::ranges::copy_if(points, std::inserter(unknown, unknown.end()),
                         [this](const Depths& point) { return !known_.contains(point); });
    const std::vector<Depths> asked(unknown.begin(), unknown.end());
    if (!asked.empty()) {
        std::vector<Trial> trials = oracle_(asked);
        for (std::size_t i = 0; i < asked.size(); ++i) {
            known_[asked[i]] = std::move(trials[i]);
        }
    }
    std::vector<Trial> answers;
    std::ranges::transform(points, std::back_inserter(answers),
                           [this](const Depths& point) { return known_.at(point); });
    return answers;
}

Trial Search::at(const Depths& depths) {
    return ask({depths}).front();
}

void Search::try_all(std::vector<Curve>& curves, const std::vector<std::vector<std::uint64_t>>& depths) {
    std::vector<Depths> points;
    for (std::size_t dimension = 0; dimension < curves.size(); ++dimension) {
        for (const std::uint64_t depth : depths[dimension]) {
            points.push_back(generous());
            points.back()[dimension] = depth;
        }
    }
    const std::vector<Trial> trials = ask(points);
    auto trial = trials.begin();
    for (std::size_t dimension = 0; dimension < curves.size(); ++dimension) {
        for (const std::uint64_t depth : depths[dimension]) {
            curves[dimension].steps[depth] = *trial++;
        }
        conclude(curves[dimension]);
    }
}

// True if there was a depth between one that fails and the smallest that holds.
bool Search::halve(std::vector<Curve>& curves) {
    std::vector<std::vector<std::uint64_t>> depths(curves.size());
    bool halves = false;
    for (std::size_t dimension = 0; dimension < curves.size(); ++dimension) {
        if (const auto depth = halfway(curves[dimension])) {
            depths[dimension].push_back(*depth);
            halves = true;
        }
    }
    try_all(curves, depths);
    return halves;
}

// True if depths behind the smallest were not yet tried.
bool Search::go_behind(std::vector<Curve>& curves) {
    std::vector<std::vector<std::uint64_t>> depths(curves.size());
    bool goes = false;
    for (std::size_t dimension = 0; dimension < curves.size(); ++dimension) {
        const auto smallest = curves[dimension].smallest;
        for (std::uint64_t more = 1; smallest && more <= kBehind && *smallest + more <= spans_[dimension].high;
             ++more) {
            if (!curves[dimension].steps.contains(*smallest + more)) {
                depths[dimension].push_back(*smallest + more);
                goes = true;
            }
        }
    }
    try_all(curves, depths);
    return goes;
}

std::vector<Curve> Search::curves(const std::set<std::size_t>& of) {
    std::vector<Curve> curves(spans_.size());
    std::vector<std::vector<std::uint64_t>> depths(spans_.size());
    for (const std::size_t dimension : of) {
        depths[dimension] = powers_of_two(spans_[dimension]);
    }
    try_all(curves, depths);
    while (halve(curves) || go_behind(curves)) {
    }
    return curves;
}

// Lowers a dimension to the smallest depth that holds with the others as they are; true if that is less. The answer is
// usually near a known depth, so steps from there double until they enclose it.
bool Search::lower(Depths& depths, std::size_t dimension, std::uint64_t near) {
    const std::uint64_t low = spans_[dimension].low;
    const std::uint64_t top = depths[dimension];
    if (top <= low) {
        return false;
    }
    const auto holds_with = [&](std::uint64_t depth) {
        Depths changed = depths;
        changed[dimension] = depth;
        return at(changed).holds();
    };
    std::uint64_t holds = top;
    std::uint64_t least = low;  // all smaller ones fail
    std::uint64_t next = std::clamp(near, low, top - 1);
    for (std::uint64_t step = 1; least < holds; step *= 2) {
        const bool it_holds = holds_with(next);
        (it_holds ? holds : least) = it_holds ? next : next + 1;
        const bool is_between = least > low && holds < top;
        if (least >= holds) {
            break;
        }
        const std::uint64_t left = holds - least;
        next = is_between ? least + (left - 1) / 2
               : it_holds ? holds - std::min(step, left)
                          : least + std::min(step, left) - 1;
    }
    depths[dimension] = holds;
    return holds < top;
}

std::optional<std::uint64_t> Search::smallest(std::size_t dimension, std::uint64_t near) {
    Depths depths = generous();
    if (!at(depths).holds()) {
        return std::nullopt;
    }
    lower(depths, dimension, near);
    return depths[dimension];
}

// A queue lowered early may need less once others are low as well.
Joint Search::joint(const std::vector<std::size_t>& order, const Depths& near) {
    Depths depths = generous();
    Depths close = near;
    for (bool lowered = true; lowered;) {
        lowered = false;
        for (const std::size_t dimension : order) {
            lowered = lower(depths, dimension, close[dimension]) || lowered;
        }
        close = depths;
    }
    return joint_at(depths);
}

Joint Search::joint_at(const Depths& depths) {
    Joint joint{depths, at(depths), std::vector<std::optional<Trial>>(depths.size())};
    std::vector<Depths> points;
    std::vector<std::size_t> of;
    for (std::size_t dimension = 0; dimension < spans_.size(); ++dimension) {
        if (depths[dimension] > spans_[dimension].low) {
            points.push_back(depths);
            --points.back()[dimension];
            of.push_back(dimension);
        }
    }
    const std::vector<Trial> trials = ask(points);
    for (std::size_t i = 0; i < of.size(); ++i) {
        joint.one_less[of[i]] = trials[i];
    }
    return joint;
}

std::vector<Joint> pareto_front(std::vector<Joint> joints) {
    std::vector<Joint> front;
    for (const Joint& joint : joints) {
        const bool is_known =
            std::ranges::any_of(front, [&joint](const Joint& other) { return other.depths == joint.depths; });
        const bool is_beaten = std::ranges::any_of(joints, [&joint](const Joint& other) {
            return other.depths != joint.depths && is_at_most(other.depths, joint.depths);
        });
        if (!is_known && !is_beaten) {
            front.push_back(joint);
        }
    }
    return front;
}

}  // namespace ndsim::advise
