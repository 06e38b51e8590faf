// SPDX-License-Identifier: Apache-2.0
#include "tools/report/ladder_scale.hpp"

#include <algorithm>

namespace ndsim::report {

namespace {

constexpr double kUsual = 6;        // between moments at the usual distance
constexpr double kMost = 26;        // between any two
constexpr double kPause = 40;       // for a shortened time
constexpr std::int64_t kLong = 30;  // a time longer than this many usual steps is shortened

// The median of the times between moments.
std::int64_t usual_step(const std::vector<LadderMoment>& moments) {
    std::vector<std::int64_t> steps;
    for (std::size_t i = 1; i < moments.size(); ++i) {
        if (const auto step = (moments[i].at - moments[i - 1].at).count(); step > 0) {
            steps.push_back(step);
        }
    }
    if (steps.empty()) {
        return 1;
    }
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    return *middle;
}

}  // namespace

LadderScale::LadderScale(std::vector<LadderMoment> moments, double top) {
    std::ranges::stable_sort(moments, {}, &LadderMoment::at);
    const std::int64_t usual = usual_step(moments);
    double y = top;
    for (std::size_t i = 0; i < moments.size();) {
        double room = 0;  // of all moments at one time
        const Picoseconds at = moments[i].at;
        const std::int64_t step = i == 0 ? 0 : (at - moments[i - 1].at).count();
        for (; i < moments.size() && moments[i].at == at; ++i) {
            room = std::max(room, moments[i].room);
        }
        const double apart = std::min(kMost, kUsual * static_cast<double>(step) / static_cast<double>(usual));
        if (step > kLong * usual) {
            pauses_.push_back({y + kPause / 2, Picoseconds{step}});
            y += kPause;
        }
        y += places_.empty() ? 0 : std::max(room, apart);
        places_.push_back({at, y});
    }
}

double LadderScale::y(Picoseconds at) const {
    const auto after = std::ranges::lower_bound(places_, at, {}, &Place::at);
    if (after == places_.begin() || (after != places_.end() && after->at == at)) {
        return after->y;
    }
    if (after == places_.end()) {
        return bottom();
    }
    const Place& before = *std::prev(after);
    const auto share =
        static_cast<double>((at - before.at).count()) / static_cast<double>((after->at - before.at).count());
    return before.y + share * (after->y - before.y);
}

}  // namespace ndsim::report
