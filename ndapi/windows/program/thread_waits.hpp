// SPDX-License-Identifier: Apache-2.0
// Threads that wait at an address until another thread wakes them there: what locks without handles, condition
// variables and futures are made of. The objects themselves say nothing of who waits, so they may have any layout.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>

#include "ndapi/windows/abi/program_host.h"

namespace ndsim {

// When a wait is over, on the host's clock in nanoseconds; none: never.
using WaitEnd = std::optional<std::uint64_t>;

// From now on; INFINITE: never.
[[nodiscard]] WaitEnd wait_end(DWORD milliseconds);
// Of a time of CLOCK_REALTIME or CLOCK_MONOTONIC, which is the host's clock.
[[nodiscard]] WaitEnd wait_end(clockid_t clock, const std::timespec& time);

// An event for one wait after another. It stays open: whoever wakes its thread may come to that only later, and would
// set another event if its handle had been given away. So a wait may end for nothing, and is taken up again.
struct WaitEvent {
    HANDLE event;
    WaitEvent* next;  // of those that are free
};

// A wait of the calling thread. It is heard of from here on, so what the thread waits for is let go of after this.
class AddressWait {
public:
    explicit AddressWait(const volatile void* address);
    AddressWait(const AddressWait&) = delete;
    AddressWait& operator=(const AddressWait&) = delete;
    ~AddressWait();

    // Whether the thread was woken before the end. As on Windows a wait is of whole milliseconds, the last one begun.
    [[nodiscard]] bool wait(WaitEnd end);

private:
    friend int wake_at(const volatile void* address, int count);

    const volatile void* address_;
    WaitEvent* event_;
    AddressWait* next_ = nullptr;
    bool is_woken_ = false;
};

[[nodiscard]] inline bool wait_at(const volatile void* address, WaitEnd end = {}) {
    return AddressWait(address).wait(end);
}

// Those that have waited longest; returns how many there were.
int wake_at(const volatile void* address, int count);
int wake_all_at(const volatile void* address);

}  // namespace ndsim
