// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>

#include "ndapi/windows/os/kernel_object.hpp"

namespace ndsim::os {

// What threads of a program wait for beside events.

// Semaphore: as many waits end by it as it counts.
class Semaphore final : public KernelObject {
public:
    Semaphore(core::Driver& driver, LONG count, LONG most) : driver_(driver), count_(count), most_(most) {}

    [[nodiscard]] LONG count() const { return count_; }
    [[nodiscard]] bool has_room_for(LONG count) const { return count <= most_ - count_; }
    void release(LONG count) {
        count_ += count;
        wake(driver_);
    }
    [[nodiscard]] bool is_ready(const Core& /*by*/) const override { return count_ > 0; }
    void take(const Core& /*by*/) override { --count_; }

private:
    core::Driver& driver_;
    LONG count_;
    const LONG most_;
};

// Mutex: belongs to one thread, by its core, which has to release it as often as it has taken it. The thread that has
// waited longest gets it then.
class Mutex final : public KernelObject {
public:
    explicit Mutex(core::Driver& driver) : driver_(driver) {}

    [[nodiscard]] bool is_owned_by(const Core& core) const { return owner_ == &core; }
    void release() {
        if (--taken_ == 0) {
            owner_ = nullptr;
            wake(driver_);
        }
    }
    // Its owner ends.
    void abandon() {
        abandoned_ = true;
        taken_ = 1;
        release();
    }
    [[nodiscard]] bool was_abandoned() override { return std::exchange(abandoned_, false); }
    [[nodiscard]] bool is_ready(const Core& by) const override { return owner_ == nullptr || owner_ == &by; }
    void take(const Core& by) override {
        owner_ = &by;
        ++taken_;
    }

private:
    core::Driver& driver_;
    const Core* owner_ = nullptr;
    std::uint64_t taken_ = 0;
    bool abandoned_ = false;
};

// Timer: signalled at its time, and again after each period if it has one; as an event is, until it is set anew or, if
// it is reset automatically, until it has ended one wait.
class Timer final : public KernelObject {
public:
    Timer(core::Driver& driver, bool manual_reset) : driver_(driver), manual_reset_(manual_reset) {}
    ~Timer() override { cancel(); }

    void set(Picoseconds span, Picoseconds period) {
        cancel();
        signalled_ = false;
        period_ = period;
        due_ = driver_.core().clock() + span;
        begin();
    }
    void cancel() {
        if (deadline_) {
            driver_.callbacks().cancel(*std::exchange(deadline_, std::nullopt));
        }
    }
    [[nodiscard]] bool is_ready(const Core& /*by*/) const override { return signalled_; }
    void take(const Core& /*by*/) override { signalled_ = signalled_ && manual_reset_; }

private:
    void begin() {
        deadline_ = driver_.callbacks().set_deadline_at(due_, [this] { is_due(); });
    }
    void is_due() {
        deadline_.reset();
        signalled_ = true;
        wake(driver_, due_);
        if (period_ > Picoseconds{}) {
            due_ += period_;
            begin();
        }
    }

    core::Driver& driver_;
    const bool manual_reset_;
    bool signalled_ = false;
    Picoseconds due_{};
    Picoseconds period_{};
    std::optional<Deadlines::Id> deadline_;
};

}  // namespace ndsim::os
