// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/wsd/setting.hpp"

namespace ndsim::wsd {

// Turn: one core at a time. The core that runs callbacks and a thread of the switch both poll a completion queue, which
// needs its calls one after the other, even by the cores' clocks. The threads of a program that has ended have stopped
// where they were, perhaps in their turn.
class Turn {
public:
    explicit Turn(Setting& setting) : driver_(setting.driver), lifetime_(setting.process.lifetime()) {}

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
    [[nodiscard]] bool is_taken() const { return taken_ && !lifetime_.has_ended(); }
    void take() {
        Core& core = driver_.core();
        core.sync();
        while (is_taken() || core.clock() < free_at_) {
            core.sleep(is_taken() ? core.clock() + driver_.params().cpu.poll_empty : free_at_);
        }
        taken_ = true;
    }
    void give() {
        taken_ = false;
        free_at_ = driver_.core().clock();
    }

    core::Driver& driver_;
    const os::Lifetime& lifetime_;
    bool taken_ = false;
    Picoseconds free_at_{};
};

}  // namespace ndsim::wsd
