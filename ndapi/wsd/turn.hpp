// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/driver.hpp"

namespace ndsim::wsd {

// Turn: one core at a time. The core that runs callbacks and a thread of the switch both poll a completion queue, which
// needs its calls one after the other, even by the cores' clocks.
class Turn {
public:
    explicit Turn(core::Driver& driver) : driver_(driver) {}

    // Held as long as the scope lasts.
    class Scope {
    public:
        explicit Scope(Turn& turn) : turn_(turn) { turn_.take(); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope() { turn_.give(); }

    private:
        Turn& turn_;
    };

private:
    void take() {
        Core& core = driver_.core();
        core.sync();
        while (taken_ || core.clock() < free_at_) {
            core.sleep(taken_ ? core.clock() + driver_.params().cpu.poll_empty : free_at_);
        }
        taken_ = true;
    }
    void give() {
        taken_ = false;
        free_at_ = driver_.core().clock();
    }

    core::Driver& driver_;
    bool taken_ = false;
    Picoseconds free_at_{};
};

}  // namespace ndsim::wsd
