// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/completion_inbox.hpp"

#include "ndapi/ndk/faces.hpp"

namespace ndsim {

bool CompletionInbox::has_failed() const {
    return queue_ != nullptr && ndk::face<ndk::CqFace>(queue_->cq).core.has_failed();
}

// Completions polled by other cores come before those still in the queue.
bool CompletionInbox::can_take() {
    if (!kept_.empty()) {
        return has_kept();
    }
    return queue_->locked_until <= core_.clock() && ndk::face<ndk::CqFace>(queue_->cq).core.can_poll();
}

std::span<const NDK_RESULT> CompletionInbox::take() {
    std::size_t count = 0;
    kept_at_.clear();
    while (has_kept() && count < taken_.size()) {
        const Kept kept = kept_.pop();
        kept_at_.push_back(kept.polled_at);
        taken_[count] = kept.result;
        ++count;
    }
    if (count > 0) {
        return {taken_.data(), count};
    }
    NDK_CQ* const cq = queue_->cq;
    const ULONG polled = cq->Dispatch->NdkGetCqResults(cq, taken_.data(), static_cast<ULONG>(taken_.size()));
    queue_->locked_until = core_.clock();
    for (ULONG i = 0; i < polled; ++i) {
        CompletionInbox* inbox = static_cast<Context*>(taken_[i].RequestContext)->inbox;
        if (inbox == nullptr) {
            inbox = static_cast<Context*>(taken_[i].QPContext)->inbox;
        }
        if (inbox == this) {
            taken_[count] = taken_[i];
            ++count;
        } else {
            inbox->keep(taken_[i], core_.clock());
        }
    }
    return {taken_.data(), count};
}

void CompletionInbox::keep(const NDK_RESULT& result, Picoseconds at) {
    kept_.push({result, at});
    core_.wake(at);
}

void CompletionInbox::wait() {
    if (!kept_.empty()) {
        core_.sleep(kept_.front().polled_at);
    } else if (queue_->locked_until > core_.clock()) {
        core_.sleep(queue_->locked_until);
    } else if (can_take()) {  // by now: the core may have worked since it looked
        core_.again();
    } else {
        ndk::face<ndk::CqFace>(queue_->cq).core.wait();
    }
}

}  // namespace ndsim
