// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ndapi/core/driver.hpp"

namespace ndsim::os {

class Wait;

// Waitable: what threads of a host can wait for. When it becomes ready, waits end by it at once, in the order in which
// they began, as far as it goes round. Their threads go on later, as fast as the host can wake them.
class Waitable {
public:
    Waitable() = default;
    Waitable(const Waitable&) = delete;
    Waitable& operator=(const Waitable&) = delete;
    virtual ~Waitable() = default;

    // Whether a wait of the thread on this core can end by it.
    [[nodiscard]] virtual bool is_ready(const Core& by) const = 0;
    // Such a wait ends by it.
    virtual void take(const Core& /*by*/) {}

    void add(Wait& wait) { waits_.push_back(&wait); }
    void remove(Wait& wait) { std::erase(waits_, &wait); }

protected:
    // It has become ready, now on the calling core's clock or at the time given.
    void wake(core::Driver& driver) const { wake(driver, driver.core().clock()); }
    void wake(core::Driver& driver, Picoseconds ready) const;

private:
    std::vector<Wait*> waits_;
};

}  // namespace ndsim::os
