// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "ndapi/core/driver.hpp"
#include "ndapi/core/object.hpp"

namespace ndsim::core {

// PendingCall: a call to an object that ends later, and how long it waits for the peer. The object stays until the call
// has ended. All ends are on the callback core.
class PendingCall {
public:
    using Done = std::function<void(NTSTATUS)>;

    PendingCall(Object& object, Driver& driver) : object_(object), driver_(driver) {}

    void begin(Done done);
    // Ends the wait, and the call if there is one.
    void finish(NTSTATUS outcome);
    [[nodiscard]] bool under_way() const { return done_ != nullptr; }

    // Calls `then` after `span`, unless the wait ends before, be it at the last moment.
    void wait_at_most(Picoseconds span, std::function<void()> then);
    void stop_waiting();

private:
    Object& object_;
    Driver& driver_;
    Done done_;
    std::optional<Deadlines::Id> deadline_;
    std::uint32_t waits_ = 0;  // number of the latest wait
};

}  // namespace ndsim::core
