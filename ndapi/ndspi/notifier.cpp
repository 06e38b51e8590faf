// SPDX-License-Identifier: Apache-2.0
#include "ndapi/ndspi/notifier.hpp"

#include <algorithm>
#include <utility>

#include "ndapi/core/blocking.hpp"

namespace ndsim::nd {

namespace {

std::optional<Arm> arm_of(ULONG type) {
    switch (type) {
        case ND_CQ_NOTIFY_ERRORS:
            return Arm::errors;
        case ND_CQ_NOTIFY_ANY:
            return Arm::any;
        case ND_CQ_NOTIFY_SOLICITED:
            return Arm::solicited;
        default:
            return std::nullopt;
    }
}

}  // namespace

HRESULT Notifier::notify(ULONG type, OVERLAPPED& overlapped) {
    const auto wish = arm_of(type);
    if (!wish) {
        return ND_INVALID_PARAMETER;
    }
    core::catch_up(cq_.driver());
    const OverlappedCalls::Id request = requests_.begin(overlapped);
    if (cq_.has_failed()) {  // R75
        cq_.driver().callbacks().defer(cq_.driver().core().clock(),
                                       [this, request] { requests_.finish(request, overrun()); });
        return ND_PENDING;
    }
    // Failures polled while nobody waited are not reported (R78); a poll may be faster than the notification of others.
    if (waits_.empty() && !cq_.holds_failure()) {
        failures_told_ = cq_.failures();
    }
    waits_.push_back({request, *wish});
    arm();
    return ND_PENDING;
}

// The code of an overrun (R72): InfiniBand's providers deviate from the documents.
HRESULT Notifier::overrun() const {
    return cq_.driver().profile() == StatusProfile::documented ? ND_BUFFER_OVERFLOW : ND_DATA_OVERRUN;
}

// The queue is armed with the strongest wish; its notification then also ends weaker ones (R84).
void Notifier::arm() {
    const auto strongest = std::ranges::max_element(waits_, {}, &Wait::arm);
    if (strongest != waits_.end()) {
        cq_.arm(strongest->arm);
    }
}

void Notifier::told(NTSTATUS status) {
    const bool failed = status != ND_SUCCESS;
    const std::uint64_t known = std::exchange(failures_told_, cq_.failures());
    const bool all = failed || (cq_.failures_are_errors() && failures_told_ != known);  // R80, R85
    const auto ends = [all](const Wait& wait) { return all || wait.arm != Arm::errors; };
    std::vector<Wait> ended;
    std::ranges::copy_if(waits_, std::back_inserter(ended), ends);
    std::erase_if(waits_, ends);
    for (const Wait& wait : ended) {
        requests_.finish(wait.request, failed ? overrun() : ND_SUCCESS);
    }
    arm();
}

void Notifier::cancelled() {
    waits_.clear();
    cq_.disarm();
}

}  // namespace ndsim::nd
