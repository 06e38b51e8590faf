// SPDX-License-Identifier: Apache-2.0
#include "ndapi/wsd/operations.hpp"

#include <algorithm>
#include <utility>

#include "ndapi/windows/os/waits.hpp"

namespace ndsim::wsd {

namespace {

constexpr ULONG_PTR kNoUpcall = 1;  // in hEvent (W43)

}  // namespace

// A thread that waits for an operation.
class Operations::Awaited final : public os::Waitable {
public:
    explicit Awaited(const OVERLAPPED& overlapped) : overlapped_(overlapped) {}
    [[nodiscard]] bool is_ready(const Core& /*by*/) const override { return ready_; }
    [[nodiscard]] bool is_of(const OVERLAPPED& overlapped) const { return &overlapped_ == &overlapped; }
    void ended(core::Driver& driver) {
        ready_ = true;
        wake(driver);
    }

private:
    const OVERLAPPED& overlapped_;
    bool ready_ = false;
};

Operation& Operations::begin(OVERLAPPED* overlapped, OperationKind kind, DWORD bytes, std::vector<Registration*> uses) {
    Operation& begun = under_way_.emplace_back(Operation{overlapped, kind, bytes, std::move(uses), false, 0});
    for (Registration* const each : begun.uses) {
        ++each->uses;
    }
    if (overlapped != nullptr) {
        begun.upcall = (reinterpret_cast<ULONG_PTR>(overlapped->hEvent) & kNoUpcall) == 0;
        begun.before = std::exchange(overlapped->Internal, ULONG_PTR{WSS_OPERATION_IN_PROGRESS});
        setting_.structures.begin(*overlapped, this);
    }
    return begun;
}

Operation Operations::take(Operation& operation) {
    for (Registration* const each : operation.uses) {
        --each->uses;
    }
    const auto found = std::ranges::find(under_way_, &operation, [](const Operation& each) { return &each; });
    Operation taken = std::move(*found);
    under_way_.erase(found);
    return taken;
}

void Operations::take_back(Operation& operation) {
    const Operation taken = take(operation);
    if (taken.overlapped != nullptr) {
        taken.overlapped->Internal = taken.before;
        setting_.structures.end(*taken.overlapped, this);
    }
}

// A polling switch reads Internal first, so it is written last; with an upcall the switch itself writes it (wsd.md 4).
void Operations::end(Operation& operation, int error, DWORD bytes) {
    const Operation ended = take(operation);
    if (ended.overlapped == nullptr || setting_.process.lifetime().has_ended()) {
        settle();
        return;
    }
    OVERLAPPED& overlapped = *ended.overlapped;
    overlapped.InternalHigh = bytes;
    overlapped.Offset = 0;
    overlapped.OffsetHigh = static_cast<DWORD>(error);
    if (!ended.upcall) {
        setting_.structures.end(overlapped, this);
        overlapped.Internal = 0;
        told(overlapped);
        return;
    }
    ++upcalls_;
    setting_.upcalls.later([this, &overlapped, error, bytes] {
        setting_.structures.end(overlapped, this);  // first: the switch may reuse it in the upcall
        setting_.upcalls.complete(handle_, overlapped, error, bytes);
        --upcalls_;
        told(overlapped);
    });
}

void Operations::end_all(int error) {
    while (!under_way_.empty()) {
        end(under_way_.front(), error, 0);
    }
}

void Operations::done_at_once(OVERLAPPED& overlapped, DWORD bytes) {
    setting_.structures.end(overlapped, this);
    overlapped.InternalHigh = bytes;
    overlapped.Offset = 0;
    overlapped.OffsetHigh = 0;
    overlapped.Internal = 0;
}

std::size_t Operations::receives() const {
    return static_cast<std::size_t>(std::ranges::count(under_way_, OperationKind::receive, &Operation::kind));
}

bool Operations::needs_interrupts() const {
    return (!awaited_.empty() && !under_way_.empty()) || std::ranges::any_of(under_way_, &Operation::upcall);
}

void Operations::wait(const OVERLAPPED& overlapped) {
    Awaited awaited(overlapped);
    awaited_.push_back(&awaited);
    os::Waitable* const object = &awaited;
    if (is_pending(overlapped)) {
        (void)os::wait_for_any(setting_.driver, {&object, 1}, INFINITE, "an overlapped operation");
    }
    std::erase(awaited_, &awaited);
}

void Operations::told(const OVERLAPPED& overlapped) {
    for (Awaited* const each : awaited_) {
        if (each->is_of(overlapped)) {
            each->ended(setting_.driver);
        }
    }
    setting_.driver.spinners().changed(setting_.driver.now(), setting_.driver.core().clock());
    settle();
}

void Operations::settle() {
    if (under_way_.empty() && upcalls_ == 0 && when_all_told_) {
        std::exchange(when_all_told_, nullptr)();
    }
}

void Operations::when_all_told(std::function<void()> then) {
    when_all_told_ = std::move(then);
    settle();
}

}  // namespace ndsim::wsd
