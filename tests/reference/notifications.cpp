// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/notifications.hpp"

#include <algorithm>

namespace ndsim::reference {

void Notifications::begin() {
    for (std::size_t side = 0; side < kSides; ++side) {
        waits_[side].clear();
        for (auto& [name, arm] : arms_[side]) {
            arm.amid = false;
            arm.at_rest.reset();
            arm.resized_at_rest.reset();
        }
    }
}
bool Notifications::set(std::size_t index, const Step& step) {
    if (step.what == What::modify_srq) {
        return modify(step, scene_.srqs[step.side], watches_[step.side]);
    }
    const std::string name = cq_name(scene_.program, step.side, step.connection, step.of_receives);
    if (completions_.is_dead(step.side, name)) {
        return false;
    }
    Arm& armed = arms_[step.side][name];
    switch (step.what) {
        case What::arm:
            return arm(index, step, armed);
        case What::resize:
            return resize(index, step, name, armed);
        default:
            return true;  // moderation says when a host is notified, and not whether [K87, K93]
    }
}

bool Notifications::arm(std::size_t index, const Step& step, Arm& arm) {
    if (arm.uncertain || step.wish == Wish::nothing) {
        return false;
    }
    switch (step.phase) {
        case Phase::start:
            arm.wish = std::max(arm.wish, step.wish);  // [K73]
            return true;
        case Phase::amid:
            // Nobody knows which completions are there already; only a first wish for any is met by all.
            arm.uncertain = arm.wish != Wish::nothing || arm.amid || step.wish != Wish::any;
            arm.amid = true;
            return true;
        case Phase::rest:
            return !std::exchange(arm.at_rest, arm.at_rest.value_or(index)).has_value();
    }
    return false;
}

// At the start the queue is empty, so every depth will do.
bool Notifications::resize(std::size_t index, const Step& step, const std::string& name, Arm& arm) {
    if (step.phase == Phase::rest) {
        return !std::exchange(arm.resized_at_rest, arm.resized_at_rest.value_or(index)).has_value();
    }
    if (step.phase == Phase::amid && std::min(completions_.depth(step.side, name), step.depth) < kAmple) {
        return false;
    }
    completions_.resize(step.side, name, step.depth);
    return true;
}

bool Notifications::modify(const Step& step, SharedQueue& srq, Watch& watch) {
    if (step.phase != Phase::start) {
        // With room for all receives it may happen at any time.
        const bool is_ample = step.threshold == 0 && std::min(srq.depth, step.depth) >= kAmple;
        srq.depth = is_ample ? step.depth : srq.depth;
        return is_ample;
    }
    if (watch.uncertain && step.threshold != 0) {
        return false;
    }
    if (step.depth != 0 && step.depth < srq.receives.slots.size()) {
        ++refused_[step.side];  // ndkpi.md 5.16
        return true;
    }
    srq.depth = step.depth != 0 ? step.depth : srq.depth;
    watch.limit = step.threshold != 0 ? step.threshold : watch.limit;
    if (step.threshold != 0 && srq.receives.open.size() < watch.limit) {
        tell(step.side, watch);  // [K191]
    }
    return true;
}

void Notifications::notify(const Epoch& steps, std::vector<bool>& done) {
    for (std::size_t side = 0; side < kSides; ++side) {
        for (auto& [name, arm] : arms_[side]) {
            notify(steps, side, name, arm, done);
        }
        if (completions_.has_overrun(side)) {
            notified_[side].by_cqs.reset();
        }
        notify(side, scene_.srqs[side], watches_[side]);
    }
}

void Notifications::notify(const Epoch& steps, std::size_t side, const std::string& name, Arm& arm,
                           std::vector<bool>& done) {
    const auto counts = completions_.count(side);
    const auto found = counts.find(name);
    const std::uint32_t completions = found == counts.end() ? 0 : found->second;
    const std::uint32_t entries = completions - completions_.polled(side, name);
    const bool overruns = completions_.has_overrun(side, name);
    bool told = false;
    if (arm.amid) {
        arm.uncertain = arm.uncertain || overruns || completions_.polled(side, name) > 0;
        arm.wish = Wish::any;
        told = !arm.uncertain && completions > 0;  // [K70]
    } else if (!arm.uncertain && arm.wish != Wish::nothing) {
        told = overruns || is_met(side, name, arm);  // [K79]
    }
    if (told) {
        tell(side, name, arm);
    }
    if (arm.resized_at_rest) {
        const Step& step = steps[*arm.resized_at_rest];
        const bool refused = entries > step.depth;  // [K168]
        done[*arm.resized_at_rest] = !overruns;
        refused_[side] += refused && !overruns ? 1 : 0;
        if (!refused && !overruns) {
            completions_.resize(side, name, step.depth);
        }
    }
    if (arm.at_rest) {
        done[*arm.at_rest] = !overruns && !arm.uncertain;
        if (!overruns && !arm.uncertain) {
            arm_at_rest(steps[*arm.at_rest].wish, side, name, arm, {completions, entries, told});
        }
    }
    if (arm.uncertain) {
        notified_[side].by_cqs.reset();
    }
}

// Whether a completion of this epoch meets the arm [K74, K75, K78]; if that is a matter of chance, it is left open.
bool Notifications::is_met(std::size_t side, const std::string& name, Arm& arm) const {
    bool certain = false;
    bool possible = false;
    for (const std::size_t ending : outcomes_.ending()) {
        const Request& request = scene_.requests[ending];
        if (!completions_.completes_in(request, side, name)) {
            continue;
        }
        const bool solicited = arm.wish == Wish::solicited && outcomes_.is_solicited(ending);
        const bool may_fail = arm.wish == Wish::solicited && request.fates != kSucceeds;
        const bool fails = may_fail && (request.fates & kSucceeds) == 0;
        certain = certain || arm.wish == Wish::any || solicited || fails;
        possible = possible || may_fail;
    }
    arm.uncertain = possible && !certain;
    return certain;
}

// An arm is met at once by any entry that has come since the last notification [K68, K81]; those that were there by
// then do not count [K69].
void Notifications::arm_at_rest(Wish wish, std::size_t side, const std::string& name, Arm& arm,
                                const Present& present) {
    const bool all_known = present.entries == 0 || (present.told && present.completions == 1);
    if (all_known) {
        arm.wish = std::max(arm.wish, wish);
    } else if (present.told) {
        arm.uncertain = true;
    } else {
        tell(side, name, arm);
    }
}

void Notifications::tell(std::size_t side, const std::string& name, Arm& arm) {
    arm.wish = Wish::nothing;
    waits_[side].push_back(name);
    if (auto& total = notified_[side].by_cqs) {
        ++*total;
    }
}

// The fall below the limit counts [K194], once [K192].
void Notifications::notify(std::size_t side, const SharedQueue& srq, Watch& watch) {
    const std::size_t all = srq.receives.open.size();
    const std::size_t early = all - srq.late;
    if (watch.limit == 0 || srq.taken == 0 || all < watch.limit) {
        return;  // [K195]
    }
    if (srq.late > 0 || srq.was_waited_for) {
        watch.uncertain = true;
        watch.limit = 0;
        notified_[side].by_srq.reset();
    } else if (early - srq.taken < watch.limit) {
        tell(side, watch);
    }
}

void Notifications::tell(std::size_t side, Watch& watch) {
    watch.limit = 0;
    waits_[side].emplace_back(kSrqName);
    if (auto& total = notified_[side].by_srq) {
        ++*total;
    }
}

}  // namespace ndsim::reference
