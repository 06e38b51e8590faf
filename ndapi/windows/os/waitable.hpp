// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ndapi/core/driver.hpp"

namespace ndsim::os {

// Waitable: what threads of a host can wait for. Whoever makes it ready wakes all who wait; each looks for itself, and
// goes on waiting if another was faster.
class Waitable {
public:
    Waitable() = default;
    Waitable(const Waitable&) = delete;
    Waitable& operator=(const Waitable&) = delete;
    virtual ~Waitable() = default;

    [[nodiscard]] virtual bool is_ready() const = 0;
    // A wait ends by it.
    virtual void take() {}

    void add(Core& core) { waiting_.push_back(&core); }
    void remove(Core& core) { std::erase(waiting_, &core); }

protected:
    // It has become ready, now on the calling core's clock or at the time given; blocked threads go on as fast as the
    // host can wake them.
    void wake(core::Driver& driver) const { wake(driver, driver.core().clock()); }
    void wake(core::Driver& driver, Picoseconds ready) const {
        for (Core* const core : waiting_) {
            core->wake(ready + driver.params().cpu.event_wakeup);
        }
        driver.spinners().changed(driver.now(), ready);
    }

private:
    std::vector<Core*> waiting_;
};

}  // namespace ndsim::os
