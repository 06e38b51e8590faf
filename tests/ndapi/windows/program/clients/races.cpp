// SPDX-License-Identifier: Apache-2.0
// A program whose threads meet at every distance of time. It prints what is not as it should be.
//
//   races | last-thread | exit
#include <windows.h>

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "tests/ndapi/windows/program/clients/printed_facts.hpp"

namespace {

void pause(int looks) {
    LARGE_INTEGER now;
    for (int i = 0; i < looks; ++i) {
        QueryPerformanceCounter(&now);
    }
}

struct Change {
    LONG value = 0;
    int looks = 0;
};
DWORD WINAPI change_and_wake(LPVOID argument) {
    auto* const change = static_cast<Change*>(argument);
    pause(change->looks);
    InterlockedExchange(&change->value, 1);
    WakeByAddressSingle(&change->value);
    return 0;
}

// The change comes before the look at the value, or wakes the thread.
void a_wait_with_an_end_hears_of_each_change() {
    int lost = 0;
    for (int looks = 0; looks < 100; ++looks) {
        Change change{0, looks / 4};
        HANDLE const thread = CreateThread(nullptr, 0, change_and_wake, &change, 0, nullptr);
        pause(looks % 4);
        LONG old = 0;
        lost += WaitOnAddress(&change.value, &old, sizeof(old), 5) ? 0 : 1;
        WaitForSingleObject(thread, INFINITE);
        CloseHandle(thread);
    }
    expect(lost == 0, "no wake-up is lost");
}

struct Calls {
    LONG ended = 0;
    int looks = 0;
};
void CALLBACK take_a_while(PTP_CALLBACK_INSTANCE, PVOID argument, PTP_WORK) {
    auto* const calls = static_cast<Calls*>(argument);
    pause(calls->looks);
    ++calls->ended;
}

// One call ends while the next one is submitted.
void a_wait_for_work_is_for_all_of_it() {
    Calls calls;
    PTP_WORK const work = CreateThreadpoolWork(take_a_while, &calls, nullptr);
    int early = 0;
    for (int looks = 0; looks < 300; ++looks) {
        calls = {0, 1 + looks / 60};
        SubmitThreadpoolWork(work);
        pause(looks % 60);
        SubmitThreadpoolWork(work);
        WaitForThreadpoolWorkCallbacks(work, FALSE);
        early += calls.ended == 2 ? 0 : 1;
    }
    expect(early == 0, "both calls have ended");
    CloseThreadpoolWork(work);
}

// When a thread had a lock.
struct Held {
    LONGLONG from = 0;
    LONGLONG until = 0;
};
LONGLONG now() {
    LARGE_INTEGER at;
    QueryPerformanceCounter(&at);
    return at.QuadPart;
}

// Two threads take a lock in turns. Looks at the clock take time, and let nobody else go on.
template <class Take, class Give>
void keeps_others_out(const char* what, Take take, Give give) {
    std::vector<Held> held[2];
    const auto run = [&](int thread) {
        for (int round = 0; round < 100; ++round) {
            take();
            const LONGLONG from = now();
            pause(3 + round % 7);
            held[thread].push_back({from, now()});
            give();
            pause(1 + (thread + 1) * round % 5);
        }
    };
    std::thread other(run, 1);
    run(0);
    other.join();
    int overlaps = 0;
    for (const Held& mine : held[0]) {
        for (const Held& its : held[1]) {
            overlaps += mine.from < its.until && its.from < mine.until ? 1 : 0;
        }
    }
    expect(overlaps == 0, what);
}

void nobody_has_a_lock_while_another_has_it() {
    CRITICAL_SECTION section;
    InitializeCriticalSection(&section);
    keeps_others_out(
        "a critical section keeps others out", [&] { EnterCriticalSection(&section); },
        [&] { LeaveCriticalSection(&section); });
    SRWLOCK lock = SRWLOCK_INIT;
    keeps_others_out(
        "an SRW lock keeps others out", [&] { AcquireSRWLockExclusive(&lock); },
        [&] { ReleaseSRWLockExclusive(&lock); });
    HANDLE const object = CreateMutex(nullptr, FALSE, nullptr);
    keeps_others_out(
        "a mutex keeps others out", [&] { WaitForSingleObject(object, INFINITE); }, [&] { ReleaseMutex(object); });
    std::mutex mutex;
    keeps_others_out(
        "std::mutex keeps others out", [&] { mutex.lock(); }, [&] { mutex.unlock(); });
    std::shared_mutex shared;
    keeps_others_out(
        "std::shared_mutex keeps others out", [&] { shared.lock(); }, [&] { shared.unlock(); });
}

DWORD WINAPI return_7_later(LPVOID) {
    Sleep(1);
    return 7;
}

void be_outlived() {
    CloseHandle(CreateThread(nullptr, 0, return_7_later, nullptr, 0, nullptr));
    ExitThread(3);
}

volatile bool is_gone = false;
struct Fragile {
    ~Fragile() { is_gone = true; }
};
const Fragile fragile;

DWORD WINAPI look_at_it(LPVOID) {
    FILETIME times[3];
    while (!is_gone) {
        GetSystemTimes(&times[0], &times[1], &times[2]);  // takes time, and lets others go on
    }
    expect(false, "what exit takes down is seen by nobody, as it takes no time");
    std::fflush(stdout);
    return 0;
}

void exit_ahead_of_a_thread() {
    CreateThread(nullptr, 0, look_at_it, nullptr, 0, nullptr);
    Sleep(1);
    pause(20);  // nobody else goes on meanwhile
    std::exit(0);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "exit") == 0) {
        exit_ahead_of_a_thread();
    }
    if (argc > 1 && std::strcmp(argv[1], "last-thread") == 0) {
        be_outlived();
    }
    a_wait_with_an_end_hears_of_each_change();
    a_wait_for_work_is_for_all_of_it();
    nobody_has_a_lock_while_another_has_it();
    return failures;
}
