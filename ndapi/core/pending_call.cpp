// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/pending_call.hpp"

#include <utility>

namespace ndsim::core {

void PendingCall::begin(Done done) {
    done_ = std::move(done);
    object_.hold();
}

void PendingCall::finish(NTSTATUS outcome) {
    stop_waiting();
    if (const Done done = std::exchange(done_, nullptr)) {
        done(outcome);
        object_.release();
    }
}

void PendingCall::wait_at_most(Picoseconds span, std::function<void()> then) {
    const std::uint32_t wait = ++waits_;
    deadline_ = driver_.callbacks().set_deadline(span, [this, wait, then = std::move(then)] {
        deadline_.reset();
        object_.hold();
        driver_.callbacks().defer(driver_.now(), [this, wait, then] {
            if (wait == waits_) {  // the answer has not arrived at the last moment
                then();
            }
            object_.release();
        });
    });
}

void PendingCall::stop_waiting() {
    ++waits_;
    if (deadline_) {
        driver_.callbacks().cancel(*std::exchange(deadline_, std::nullopt));
    }
}

}  // namespace ndsim::core
