// SPDX-License-Identifier: Apache-2.0
// Nothing else of the host runs between two calls of its ProgramHost, so the list needs no protection.
#include "ndapi/windows/program/thread_waits.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/program/instance.hpp"

namespace ndsim {
namespace {

constexpr std::uint64_t kPerSecond = 1'000'000'000;
constexpr std::uint64_t kPerMillisecond = 1'000'000;

// 0 if it is over.
DWORD milliseconds_until(WaitEnd end) {
    if (!end) {
        return INFINITE;
    }
    const std::uint64_t now = host().nanoseconds();
    if (now >= *end) {
        return 0;
    }
    const std::uint64_t begun = (*end - now - 1) / kPerMillisecond + 1;
    return static_cast<DWORD>(std::min<std::uint64_t>(begun, INFINITE - 1));
}

WaitEvent* take_event() {
    WaitEvent*& free = instance().free_events;
    WaitEvent* const taken = free != nullptr ? free : new WaitEvent{nullptr, nullptr};
    free = taken->next;
    if (taken->event == nullptr) {
        taken->event = host().create_event(false, false);
    }
    return taken;
}

}  // namespace

WaitEnd wait_end(DWORD milliseconds) {
    return milliseconds == INFINITE ? std::nullopt : WaitEnd(host().nanoseconds() + milliseconds * kPerMillisecond);
}

// A clock of the day may not have come to the start of the simulation.
WaitEnd wait_end(clockid_t clock, const std::timespec& time) {
    const std::int64_t start = clock == CLOCK_REALTIME ? static_cast<std::int64_t>(kStartOfTime) : 0;
    const std::int64_t seconds = std::max<std::int64_t>(time.tv_sec - start, -1);
    if (seconds < 0) {
        return 0;
    }
    if (static_cast<std::uint64_t>(seconds) >= std::numeric_limits<std::int64_t>::max() / kPerSecond) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(seconds) * kPerSecond + static_cast<std::uint64_t>(time.tv_nsec);
}

AddressWait::AddressWait(const volatile void* address) : address_(address), event_(take_event()) {
    AddressWait** end = &instance().address_waits;
    while (*end != nullptr) {
        end = &(*end)->next_;
    }
    *end = this;
}

AddressWait::~AddressWait() {
    if (!is_woken_) {
        AddressWait** at = &instance().address_waits;
        while (*at != this) {
            at = &(*at)->next_;
        }
        *at = next_;
    }
    event_->next = instance().free_events;
    instance().free_events = event_;
}

bool AddressWait::wait(WaitEnd end) {
    while (!is_woken_) {
        const DWORD milliseconds = milliseconds_until(end);
        if (is_woken_ || milliseconds == 0) {
            break;
        }
        if (host().wait(&event_->event, 1, false, milliseconds) == WAIT_FAILED) {
            host().sleep(1);  // there was no event to be had
        }
    }
    return is_woken_;
}

// Setting an event lets others go on: first all are taken from the list, then they are told.
int wake_at(const volatile void* address, int count) {
    std::vector<HANDLE> events;
    AddressWait** at = &instance().address_waits;
    while (*at != nullptr && std::ssize(events) < count) {
        AddressWait& wait = **at;
        if (wait.address_ != address) {
            at = &wait.next_;
            continue;
        }
        *at = wait.next_;
        wait.is_woken_ = true;
        events.push_back(wait.event_->event);
    }
    for (HANDLE event : events) {
        host().set_event(event);
    }
    return static_cast<int>(events.size());
}

int wake_all_at(const volatile void* address) {
    return wake_at(address, std::numeric_limits<int>::max());
}

}  // namespace ndsim
