// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/os/waits.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/os/wait.hpp"

namespace ndsim::os {

namespace {

// Wakes a thread when its patience is over. A sleep with an end would leave that behind when the thread is woken
// earlier, and the run would go on until then.
class Patience {
public:
    Patience(core::Driver& driver, DWORD milliseconds) : driver_(driver) {
        if (milliseconds != INFINITE) {
            Core& core = driver.core();
            const auto span = std::chrono::milliseconds{milliseconds};
            until_ = core.clock() + span;
            timer_ = driver.callbacks().set_deadline(span, [this, &core] {
                timer_.reset();
                core.wake(*until_);
            });
        }
    }
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;
    ~Patience() {
        if (timer_) {
            driver_.callbacks().cancel(*timer_);
        }
    }
    [[nodiscard]] bool is_over() const { return until_ && driver_.core().clock() >= *until_; }

private:
    core::Driver& driver_;
    std::optional<Picoseconds> until_;
    std::optional<Deadlines::Id> timer_;
};

// What it waited for: as its ended_by().
std::optional<std::size_t> wait_for(core::Driver& driver, std::span<Waitable* const> objects, bool all,
                                    DWORD milliseconds, std::string_view what) {
    Core& waiter = driver.core();
    waiter.sync();
    Wait wait(waiter, objects, all);
    if (wait.end()) {
        return wait.ended_by();
    }
    if (milliseconds == 0) {
        look_in_vain(driver, *std::ranges::find_if(objects, [&](Waitable* each) { return !each->is_ready(waiter); }));
        return std::nullopt;
    }
    const Patience patience(driver, milliseconds);
    waiter.waits_for(std::string(what));
    wait.begin();
    while (!wait.ended_by() && !patience.is_over()) {
        waiter.sleep();
    }
    while (wait.ended_by() && waiter.clock() < wait.goes_on()) {
        waiter.sleep(wait.goes_on());
    }
    waiter.waits_for({});
    return wait.ended_by();
}

}  // namespace

std::optional<std::size_t> wait_for_any(core::Driver& driver, std::span<Waitable* const> objects, DWORD milliseconds,
                                        std::string_view what) {
    return wait_for(driver, objects, false, milliseconds, what);
}

bool wait_for_all(core::Driver& driver, std::span<Waitable* const> objects, DWORD milliseconds) {
    return wait_for(driver, objects, true, milliseconds, "events and threads").has_value();
}

void look_in_vain(core::Driver& driver, const void* place) {
    driver.core().spend(CoreActivity::poll, driver.params().cpu.poll_empty);
    driver.spinners().look_again(driver.core(), place);
}

}  // namespace ndsim::os
