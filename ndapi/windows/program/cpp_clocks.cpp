// SPDX-License-Identifier: Apache-2.0
// The clocks of C and C++, and the waits that the C++ library is made of: simulated time, too. The program's copies of
// these functions come before the libraries' own.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <ctime>

#include "ndapi/windows/abi/clock.h"
#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/program/instance.hpp"

using ndsim::host;

namespace {

constexpr std::uint64_t kPerSecond = 1'000'000'000;
constexpr std::uint64_t kPerMillisecond = 1'000'000;

void wait_for(std::uint64_t span) {
    host().sleep(static_cast<DWORD>(std::min<std::uint64_t>(span / kPerMillisecond, INFINITE - 1)),
                 static_cast<DWORD>(span % kPerMillisecond));
}

}  // namespace

std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
    return time_point(duration(static_cast<rep>(host().nanoseconds())));
}
std::chrono::system_clock::time_point std::chrono::system_clock::now() noexcept {
    const std::uint64_t nanoseconds = ndsim::kStartOfTime * kPerSecond + host().nanoseconds();
    return time_point(duration(static_cast<rep>(nanoseconds)));
}

extern "C" {

std::time_t time(std::time_t* seconds) noexcept {
    const auto now = static_cast<std::time_t>(ndsim::kStartOfTime + host().nanoseconds() / kPerSecond);
    if (seconds != nullptr) {
        *seconds = now;
    }
    return now;
}
int timespec_get(std::timespec* now, int base) noexcept {
    if (base != TIME_UTC) {
        return 0;
    }
    const std::uint64_t nanoseconds = host().nanoseconds();
    now->tv_sec = static_cast<std::time_t>(ndsim::kStartOfTime + nanoseconds / kPerSecond);
    now->tv_nsec = static_cast<long>(nanoseconds % kPerSecond);
    return base;
}
std::clock_t clock() noexcept {
    return static_cast<std::clock_t>(host().nanoseconds() / (kPerSecond / CLOCKS_PER_SEC));
}
int nanosleep(const timespec* span, timespec*) {
    wait_for(static_cast<std::uint64_t>(span->tv_sec) * kPerSecond + static_cast<std::uint64_t>(span->tv_nsec));
    return 0;
}
int usleep(unsigned microseconds) {
    wait_for(microseconds * std::uint64_t{1000});
    return 0;
}
int sched_yield() noexcept {
    host().sleep(0);
    return 0;
}
}
