// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/os/waits.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include "ndapi/windows/abi/constants.h"

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

}  // namespace

std::optional<std::size_t> wait_for_any(core::Driver& driver, std::span<Waitable* const> objects, DWORD milliseconds,
                                        std::string_view what) {
    Core& waiter = driver.core();
    waiter.sync();
    const auto ready = [&] {
        return std::ranges::find_if(objects, [](const Waitable* each) { return each->is_ready(); });
    };
    auto found = ready();
    if (found == objects.end() && milliseconds == 0) {
        look_in_vain(driver, objects.front());
        return std::nullopt;
    }
    const Patience patience(driver, milliseconds);
    waiter.waits_for(std::string(what));
    for (Waitable* const each : objects) {
        each->add(waiter);
    }
    while ((found = ready()) == objects.end() && !patience.is_over()) {
        waiter.sleep();
    }
    for (Waitable* const each : objects) {
        each->remove(waiter);
    }
    waiter.waits_for({});
    if (found == objects.end()) {
        return std::nullopt;
    }
    (*found)->take();
    return static_cast<std::size_t>(found - objects.begin());
}

// One after the other, and then all of them at once: what is taken together must be ready together.
bool wait_for_all(core::Driver& driver, std::span<Waitable* const> objects, DWORD milliseconds) {
    const auto not_ready = [&] {
        return std::ranges::find_if(objects, [](Waitable* each) { return !each->is_ready(); });
    };
    Core& waiter = driver.core();
    waiter.sync();
    if (const auto missing = not_ready(); missing != objects.end() && milliseconds == 0) {
        look_in_vain(driver, *missing);
        return false;
    }
    const Patience patience(driver, milliseconds);
    waiter.waits_for("events and threads");
    for (auto missing = not_ready(); missing != objects.end(); missing = not_ready()) {
        if (patience.is_over()) {
            waiter.waits_for({});
            return false;
        }
        (*missing)->add(waiter);
        waiter.sleep();
        (*missing)->remove(waiter);
    }
    waiter.waits_for({});
    std::ranges::for_each(objects, [](Waitable* each) { each->take(); });
    return true;
}

void look_in_vain(core::Driver& driver, const void* place) {
    driver.core().spend(CoreActivity::poll, driver.params().cpu.poll_empty);
    driver.spinners().look_again(driver.core(), place);
}

}  // namespace ndsim::os
