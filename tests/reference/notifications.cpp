// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/reference/model_run.hpp"

// Of what hosts are notified in an epoch, which is at rest by now, but nothing is polled yet.
namespace ndsim::reference {

void Model::notify(std::size_t epoch) {
    for (std::size_t side = 0; side < kSides; ++side) {
        for (auto& [name, cq] : cqs_[side]) {
            notify(epoch, side, name, cq);
        }
        notify(side, srqs_[side]);
    }
}

void Model::notify(std::size_t epoch, std::size_t side, const std::string& name, CompletionQueue& cq) {
    const auto counts = count(side);
    const auto found = counts.find(name);
    const std::uint32_t completions = found == counts.end() ? 0 : found->second;
    const bool overruns = overrun_[side].contains(name);
    bool told = false;
    if (cq.armed_amid) {
        cq.uncertain = cq.uncertain || overruns || polled_[side][name] > 0;
        cq.armed = Wish::any;
        told = !cq.uncertain && completions > 0;  // [K70]
    } else if (!cq.uncertain && cq.armed != Wish::nothing) {
        told = overruns || is_met(side, name, cq);  // [K79]
    }
    if (told) {
        tell(side, name, cq);
    }
    if (cq.resized_at_rest) {
        const Step& step = program_.epochs[epoch][*cq.resized_at_rest];
        const bool refused = completions - polled_[side][name] > step.depth;  // [K168]
        result_.done[epoch][*cq.resized_at_rest] = !overruns;
        result_.refused[side] += refused && !overruns ? 1 : 0;
        cq.depth = refused || overruns ? cq.depth : step.depth;
    }
    if (cq.armed_at_rest) {
        result_.done[epoch][*cq.armed_at_rest] = !overruns && !cq.uncertain;
        if (!overruns && !cq.uncertain) {
            arm_at_rest(program_.epochs[epoch][*cq.armed_at_rest].wish, side, name, cq,
                        {completions, completions - polled_[side][name], told});
        }
    }
    if (cq.uncertain || overruns) {
        result_.notified[side].by_cqs.reset();
    }
}

// Whether a completion of this epoch meets the arm [K74, K75, K78]; if that is a matter of chance, it is left open.
bool Model::is_met(std::size_t side, const std::string& name, CompletionQueue& cq) {
    bool certain = false;
    bool possible = false;
    for (const std::size_t ending : ending_) {
        const Request& request = result_.requests[ending];
        if (!completes_in(request, side, name)) {
            continue;
        }
        const bool solicited = cq.armed == Wish::solicited && solicited_.contains(ending);
        const bool may_fail = cq.armed == Wish::solicited && request.fates != kSucceeds;
        const bool fails = may_fail && (request.fates & kSucceeds) == 0;
        certain = certain || cq.armed == Wish::any || solicited || fails;
        possible = possible || may_fail;
    }
    cq.uncertain = possible && !certain;
    return certain;
}

// An arm is met at once by any entry that has come since the last notification [K68, K81]; those that were there by
// then do not count [K69].
void Model::arm_at_rest(Wish wish, std::size_t side, const std::string& name, CompletionQueue& cq,
                        const Present& present) {
    const bool all_known = present.entries == 0 || (present.told && present.completions == 1);
    if (all_known) {
        cq.armed = std::max(cq.armed, wish);
    } else if (present.told) {
        cq.uncertain = true;
    } else {
        tell(side, name, cq);
    }
}

void Model::tell(std::size_t side, const std::string& name, CompletionQueue& cq) {
    cq.armed = Wish::nothing;
    result_.polls.back()[side].waits.push_back(name);
    if (auto& total = result_.notified[side].by_cqs) {
        ++*total;
    }
}

// The fall below the limit counts [K194], once [K192].
void Model::notify(std::size_t side, SharedQueue& srq) {
    const std::size_t all = srq.receives.open.size();
    const std::size_t early = all - srq.late;
    if (srq.limit == 0 || srq.taken == 0 || all < srq.limit) {
        return;  // [K195]
    }
    if (srq.late > 0 || srq.was_waited_for) {
        srq.uncertain = true;
        srq.limit = 0;
        result_.notified[side].by_srq.reset();
    } else if (early - srq.taken < srq.limit) {
        tell(side, srq);
    }
}

void Model::tell(std::size_t side, SharedQueue& srq) {
    srq.limit = 0;
    result_.polls.back()[side].waits.emplace_back(kSrqName);
    if (auto& total = result_.notified[side].by_srq) {
        ++*total;
    }
}

}  // namespace ndsim::reference
