// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/steady.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ndsim::advise {

namespace {

// A miss is worse than a trial that is open; among equals the one that is further from the target.
bool is_worse(const Trial& a, const Trial& b) {
    const auto order_of = [](const Trial& trial) {
        constexpr std::array kOrder{Verdict::missed, Verdict::open, Verdict::met};
        const auto* const place = std::ranges::find(kOrder, trial.judgement.verdict);
        return std::pair{place - kOrder.begin(), trial.judgement.worst_ppm};
    };
    return order_of(a) < order_of(b);
}

}  // namespace

std::vector<Raise> raises_of(const Depths& depths, const std::vector<Span>& spans) {
    std::vector<Raise> raises;
    for (std::size_t dimension = 0; dimension < depths.size(); ++dimension) {
        const std::uint64_t most = spans[dimension].high;
        if (depths[dimension] >= most) {
            continue;
        }
        const std::uint64_t more = depths[dimension] + 1;
        if (more < most) {
            raises.push_back({dimension, more});
        }
        for (std::uint64_t depth = 1; depth < most; depth *= 2) {
            if (depth > more) {
                raises.push_back({dimension, depth});
            }
        }
        raises.push_back({dimension, most});
    }
    return raises;
}

std::vector<Trial> Steady::trials_of(const std::vector<Depths>& points) {
    std::vector<Trial> trials = tries_.ask(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (trials[i].holds()) {
            trials[i] = with_raises(points[i], std::move(trials[i]));
        }
    }
    return trials;
}

void Steady::judge(std::vector<Raised>& points, Search& search) {
    std::vector<Depths> depths;
    std::ranges::transform(points, std::back_inserter(depths), &Raised::depths);
    std::vector<Trial> trials = search.ask(depths);
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i].trial = std::move(trials[i]);
        points[i].trial.raised = points[i].raise;
    }
}

Trial Steady::with_raises(const Depths& depths, Trial trial) {
    std::vector<Raised> points;
    for (const Raise& raise : raises_of(depths, spans_)) {
        points.push_back({raise, depths, {}});
        points.back().depths[raise.dimension] = raise.depth;
    }
    judge(points, quiet_);
    const auto worst = [](const std::vector<Raised>& of) {
        return std::ranges::min_element(of, is_worse, &Raised::trial);
    };
    if (const auto broken = worst(points); broken != points.end() && !broken->trial.holds()) {
        return broken->trial;
    }
    std::vector<Raised> tried;  // of each dimension the worst; among equals the most generous
    for (Raised& point : points) {
        if (tried.empty() || tried.back().raise.dimension != point.raise.dimension) {
            tried.push_back(std::move(point));
        } else if (!is_worse(tried.back().trial, point.trial)) {
            tried.back() = std::move(point);
        }
    }
    judge(tried, tries_);
    const auto broken = worst(tried);
    if (broken == tried.end() || broken->trial.holds()) {
        return trial;
    }
    return broken->trial;
}

}  // namespace ndsim::advise
