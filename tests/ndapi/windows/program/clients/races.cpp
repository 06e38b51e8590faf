// SPDX-License-Identifier: Apache-2.0
// A program whose threads meet at every distance of time. It prints what is not as it should be.
//
//   races | last-thread
#include <windows.h>

#include <cstring>

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

DWORD WINAPI return_7_later(LPVOID) {
    Sleep(1);
    return 7;
}

void be_outlived() {
    CloseHandle(CreateThread(nullptr, 0, return_7_later, nullptr, 0, nullptr));
    ExitThread(3);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "last-thread") == 0) {
        be_outlived();
    }
    a_wait_with_an_end_hears_of_each_change();
    a_wait_for_work_is_for_all_of_it();
    return failures;
}
