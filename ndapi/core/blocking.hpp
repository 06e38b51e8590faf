// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "ndapi/core/driver.hpp"

namespace ndsim::core {

// The simulation catches up with the calling core. A call that reads or changes what events change, too, begins with
// this: events that come before it have come.
inline void catch_up(Driver& driver) {
    driver.core().sync();
}

// Starts something that ends with a callback, and blocks the calling thread until then. `start` gets the callback and
// returns STATUS_PENDING, or the outcome if the call ended at once. Returns the outcome; `what` names it for the
// message when nothing can ever happen again. Not for callbacks, which cannot wait.
template <class Start>
NTSTATUS wait_for(Driver& driver, std::string what, const Start& start) {
    Core& core = driver.core();
    // Shared: the program may be gone when the callback comes.
    const auto outcome = std::make_shared<NTSTATUS>(STATUS_PENDING);
    const NTSTATUS started = start([outcome, &core, &driver](NTSTATUS status) {
        *outcome = status;
        core.wake(driver.core().clock());
    });
    if (started != STATUS_PENDING) {
        return started;
    }
    core.waits_for(std::move(what));
    while (*outcome == STATUS_PENDING) {
        core.sleep();
    }
    core.waits_for({});
    return *outcome;
}

}  // namespace ndsim::core
