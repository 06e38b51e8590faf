// SPDX-License-Identifier: Apache-2.0
// The waits of std::future, and those of std::atomic, semaphores, latches and barriers, which the C++ library makes
// with futexes.
#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bits/atomic_futex.h>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <limits>

#include "ndapi/windows/program/thread_waits.hpp"

using Seconds = std::chrono::seconds;
using Nanoseconds = std::chrono::nanoseconds;

namespace {

bool wait_while(unsigned* address, unsigned value, ndsim::WaitEnd end) {
    return *address != value || ndsim::wait_at(address, end);
}

ndsim::WaitEnd end_of(clockid_t clock, bool has_end, Seconds seconds, Nanoseconds nanoseconds) {
    return has_end ? ndsim::wait_end(clock, {seconds.count(), nanoseconds.count()}) : std::nullopt;
}

long failed(int error) {
    errno = error;
    return -1;
}

// The time of a FUTEX_WAIT would be a span, but the C++ library gives it none.
long futex(unsigned* address, int operation, unsigned value, const std::timespec* end) {
    const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    switch (operation & FUTEX_CMD_MASK) {
        case FUTEX_WAIT:
        case FUTEX_WAIT_BITSET:
            if (*address != value) {
                return failed(EAGAIN);
            }
            return ndsim::wait_at(address, end == nullptr ? std::nullopt : ndsim::wait_end(clock, *end))
                       ? 0
                       : failed(ETIMEDOUT);
        case FUTEX_WAKE:
            return ndsim::wake_at(address, static_cast<int>(value));
        default:
            return failed(ENOSYS);
    }
}

}  // namespace

bool std::__atomic_futex_unsigned_base::_M_futex_wait_until(unsigned* address, unsigned value, bool has_end,
                                                            Seconds seconds, Nanoseconds nanoseconds) {
    return wait_while(address, value, end_of(CLOCK_REALTIME, has_end, seconds, nanoseconds));
}
bool std::__atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned* address, unsigned value, bool has_end,
                                                                   Seconds seconds, Nanoseconds nanoseconds) {
    return wait_while(address, value, end_of(CLOCK_MONOTONIC, has_end, seconds, nanoseconds));
}
void std::__atomic_futex_unsigned_base::_M_futex_notify_all(unsigned* address) {
    (void)ndsim::wake_all_at(address);
}

// Other calls are the C library's.
extern "C" long syscall(long number, ...) noexcept {
    std::va_list list;
    va_start(list, number);
    long arguments[6];
    for (long& each : arguments) {
        each = va_arg(list, long);
    }
    va_end(list);
    if (number == SYS_futex) {
        return futex(reinterpret_cast<unsigned*>(arguments[0]), static_cast<int>(arguments[1]),
                     static_cast<unsigned>(arguments[2]), reinterpret_cast<const std::timespec*>(arguments[3]));
    }
    const auto library = reinterpret_cast<long (*)(long, ...)>(::dlsym(RTLD_DEFAULT, "syscall"));
    return library(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
