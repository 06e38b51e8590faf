// SPDX-License-Identifier: Apache-2.0
// A program that looks at how busy its cores have been, and returns the line of the first figure that is wrong.
#include <windows.h>

#include "tests/ndapi/windows/program/clients/expect.hpp"

namespace {

constexpr int kFine = 0;
constexpr LONGLONG kMillisecond = 10'000;  // of 100 ns
constexpr LONGLONG kSlack = 20;            // 2 us: what is rounded, and calls around the measured span

struct Times {
    LONGLONG clock = 0;
    LONGLONG idle = 0;
    LONGLONG user = 0;
    LONGLONG process = 0;
};

LONGLONG value_of(const FILETIME& time) {
    return (LONGLONG{time.dwHighDateTime} << 32) | time.dwLowDateTime;
}

LONGLONG clock_now() {
    LARGE_INTEGER count;
    QueryPerformanceCounter(&count);
    return count.QuadPart / 100;
}

// The clock first: a thread that looks at it for long may be late by an eighth of that.
Times times_now() {
    const LONGLONG clock = clock_now();
    FILETIME idle, kernel, user, creation, end, of_kernel, of_user;
    GetSystemTimes(&idle, &kernel, &user);
    GetProcessTimes(GetCurrentProcess(), &creation, &end, &of_kernel, &of_user);
    return {clock, value_of(idle), value_of(user), value_of(of_user)};
}

// Whether so many cores were busy all the time between, and the others not at all.
bool is_about(LONGLONG value, LONGLONG expected) {
    return value >= expected - kSlack && value <= expected + kSlack;
}
bool were_busy(const Times& before, const Times& after, LONGLONG cores) {
    const LONGLONG span = after.clock - before.clock;
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return is_about(after.user - before.user, cores * span) && is_about(after.process - before.process, cores * span) &&
           is_about(after.idle - before.idle, (info.dwNumberOfProcessors - cores) * span);
}

void spin(LONGLONG until) {
    while (clock_now() < until) {
    }
}

DWORD WINAPI spin_for_long(LPVOID) {
    spin(clock_now() + 20 * kMillisecond);
    return 0;
}

int looks() {
    Times before = times_now();
    spin(before.clock + 10 * kMillisecond);  // by the clock
    EXPECT(were_busy(before, times_now(), 1));
    before = times_now();
    while (clock_now() < before.clock + 10 * kMillisecond) {  // by what is looked at beside it
        YieldProcessor();
    }
    EXPECT(were_busy(before, times_now(), 1));
    HANDLE event = CreateEventW(nullptr, TRUE, FALSE, nullptr);
    before = times_now();
    while (WaitForSingleObject(event, 0) == WAIT_TIMEOUT && clock_now() < before.clock + 10 * kMillisecond) {
    }
    EXPECT(were_busy(before, times_now(), 1));
    return kFine;
}

int sleeps() {
    const Times before = times_now();
    Sleep(10);
    EXPECT(were_busy(before, times_now(), 0));
    return kFine;
}

int another() {
    HANDLE thread = CreateThread(nullptr, 0, spin_for_long, nullptr, 0, nullptr);
    Sleep(1);
    Times before = times_now();
    Sleep(3);  // in the midst of its looking
    EXPECT(were_busy(before, times_now(), 1));
    before = times_now();
    spin(before.clock + 3 * kMillisecond);
    EXPECT(were_busy(before, times_now(), 2));
    WaitForSingleObject(thread, INFINITE);
    return kFine;
}

}  // namespace

int main() {
    for (const auto test : {looks, sleeps, another}) {
        const int line = test();
        if (line != 0) {
            return line;
        }
    }
    return 0;
}
