// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "tests/reference/model_run.hpp"

// What a host changes of its queues. False for what would have no certain outcome: it is not carried out.
namespace ndsim::reference {

bool Model::set(std::size_t index, const Step& step) {
    if (step.what == What::modify_srq) {
        return modify(step, srqs_[step.side]);
    }
    const std::string name = cq_name(program_, step.side, step.connection, step.of_receives);
    if (dead_[step.side].contains(name)) {
        return false;
    }
    CompletionQueue& cq = cqs_[step.side][name];
    switch (step.what) {
        case What::arm:
            return arm(index, step, cq);
        case What::resize:
            return resize(index, step, cq);
        default:
            return true;  // moderation says when a host is notified, and not whether [K87, K93]
    }
}

bool Model::arm(std::size_t index, const Step& step, CompletionQueue& cq) {
    if (cq.uncertain || step.wish == Wish::nothing) {
        return false;
    }
    switch (step.phase) {
        case Phase::start:
            cq.armed = std::max(cq.armed, step.wish);  // [K73]
            return true;
        case Phase::amid:
            // Nobody knows which completions are there already; only a first wish for any is met by all.
            cq.uncertain = cq.armed != Wish::nothing || cq.armed_amid || step.wish != Wish::any;
            cq.armed_amid = true;
            return true;
        case Phase::rest:
            return !std::exchange(cq.armed_at_rest, cq.armed_at_rest.value_or(index)).has_value();
    }
    return false;
}

// At the start the queue is empty, so every depth will do.
bool Model::resize(std::size_t index, const Step& step, CompletionQueue& cq) {
    if (step.phase == Phase::rest) {
        return !std::exchange(cq.resized_at_rest, cq.resized_at_rest.value_or(index)).has_value();
    }
    if (step.phase == Phase::amid && std::min(cq.depth, step.depth) < kAmple) {
        return false;
    }
    cq.depth = step.depth;
    return true;
}

bool Model::modify(const Step& step, SharedQueue& srq) {
    if (step.phase != Phase::start) {
        // With room for all receives it may happen at any time.
        const bool is_ample = step.threshold == 0 && std::min(srq.depth, step.depth) >= kAmple;
        srq.depth = is_ample ? step.depth : srq.depth;
        return is_ample;
    }
    if (srq.uncertain && step.threshold != 0) {
        return false;
    }
    if (step.depth != 0 && step.depth < srq.receives.slots.size()) {
        ++result_.refused[step.side];  // ndkpi.md 5.16
        return true;
    }
    srq.depth = step.depth != 0 ? step.depth : srq.depth;
    srq.limit = step.threshold != 0 ? step.threshold : srq.limit;
    if (step.threshold != 0 && srq.receives.open.size() < srq.limit) {
        tell(step.side, srq);  // [K191]
    }
    return true;
}

}  // namespace ndsim::reference
