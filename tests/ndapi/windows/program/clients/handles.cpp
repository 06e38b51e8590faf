// SPDX-License-Identifier: Apache-2.0
// A program with several handles of a thread, and timers that call functions. It prints what is not as it should be.
#include <windows.h>

#include <algorithm>
#include <iterator>
#include <thread>

#include "tests/ndapi/windows/program/clients/printed_facts.hpp"

namespace {

DWORD WINAPI sleep_and_return_4(LPVOID) {
    Sleep(1);
    return 4;
}

HANDLE handle_of_this_thread() {
    HANDLE handle = nullptr;
    expect(DuplicateHandle(GetCurrentProcess(), GetCurrentThread(), GetCurrentProcess(), &handle, 0, FALSE,
                           DUPLICATE_SAME_ACCESS),
           "a handle of this thread");
    return handle;
}

// A handle of its own, closed or kept, is not the one by which a thread is joined.
void a_thread_with_a_handle_of_its_own() {
    bool ended = false;
    HANDLE kept = nullptr;
    std::thread thread([&] {
        CloseHandle(handle_of_this_thread());
        kept = handle_of_this_thread();
        Sleep(1);
        ended = true;
    });
    Sleep(0);
    thread.join();
    expect(ended, "join waits for the end");
    expect(WaitForSingleObject(kept, 0) == WAIT_OBJECT_0 && CloseHandle(kept), "the thread's handle is still open");
}

void a_thread_without_a_handle() {
    DWORD id = 0;
    DWORD code = 0;
    expect(CloseHandle(CreateThread(nullptr, 0, sleep_and_return_4, nullptr, 0, &id)), "the only handle");
    HANDLE const opened = OpenThread(THREAD_ALL_ACCESS, FALSE, id);
    expect(GetThreadId(opened) == id && GetExitCodeThread(opened, &code) && code == STILL_ACTIVE, "it runs");
    expect(WaitForSingleObject(opened, INFINITE) == WAIT_OBJECT_0, "it ends");
    expect(GetExitCodeThread(opened, &code) && code == 4 && CloseHandle(opened), "its code");
    expect(!GetExitCodeThread(opened, &code) && GetLastError() == ERROR_INVALID_HANDLE, "a handle that is closed");
    expect(OpenThread(THREAD_ALL_ACCESS, FALSE, 77) == nullptr && GetLastError() == ERROR_INVALID_PARAMETER, "nobody");
}

DWORD WINAPI set_both_later(LPVOID events) {
    Sleep(1);
    SetEvent(static_cast<HANDLE*>(events)[0]);
    SetEvent(static_cast<HANDLE*>(events)[1]);
    return 0;
}

// Each look takes time, in which others go on.
void looks_until_it_is_so() {
    HANDLE events[] = {CreateEvent(nullptr, TRUE, FALSE, nullptr), CreateEvent(nullptr, TRUE, FALSE, nullptr)};
    HANDLE const thread = CreateThread(nullptr, 0, set_both_later, events, 0, nullptr);
    while (WaitForMultipleObjects(2, events, TRUE, 0) == WAIT_TIMEOUT) {
    }
    DWORD code = STILL_ACTIVE;
    while (GetExitCodeThread(thread, &code) && code == STILL_ACTIVE) {
    }
    expect(code == 0, "the thread's code");
    CloseHandle(thread);
    CloseHandle(events[0]);
    CloseHandle(events[1]);
}

bool is_refused(bool done) {
    return !done && GetLastError() == ERROR_INVALID_PARAMETER;
}

// What nothing could come of is refused, and takes nothing.
void waits_beyond_their_limits() {
    HANDLE const semaphore = CreateSemaphore(nullptr, 1, 5, nullptr);
    HANDLE many[MAXIMUM_WAIT_OBJECTS + 1];
    std::fill(std::begin(many), std::end(many), semaphore);
    expect(is_refused(WaitForMultipleObjects(MAXIMUM_WAIT_OBJECTS + 1, many, FALSE, 0) != WAIT_FAILED), "65 handles");
    expect(is_refused(WaitForMultipleObjects(2, many, TRUE, 0) != WAIT_FAILED), "both of one");
    LONG previous = 9;
    expect(ReleaseSemaphore(semaphore, 1, &previous) && previous == 1, "nothing was taken");
    expect(WaitForMultipleObjects(MAXIMUM_WAIT_OBJECTS, many, FALSE, 0) == WAIT_OBJECT_0, "one of 64");
    CloseHandle(semaphore);

    HANDLE const port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 0);
    expect(is_refused(CreateIoCompletionPort(INVALID_HANDLE_VALUE, port, 0, 0) != nullptr), "a port without a file");
    OVERLAPPED_ENTRY entry = {};
    ULONG removed = 9;
    expect(PostQueuedCompletionStatus(port, 1, 2, nullptr) != FALSE, "a packet");
    expect(is_refused(GetQueuedCompletionStatusEx(port, &entry, 0, &removed, 0, FALSE) != FALSE), "no entry");
    expect(GetQueuedCompletionStatusEx(port, &entry, 1, &removed, 0, FALSE) && removed == 1, "it is still there");
    expect(entry.dwNumberOfBytesTransferred == 1 && entry.lpCompletionKey == 2, "the packet");
    CloseHandle(port);
}

struct Timer {
    HANDLE timer = nullptr;
    HANDLE completion = nullptr;
    int calls = 0;
    DWORD error = 0;
};

void CALLBACK delete_own_timer(PVOID argument, BOOLEAN) {
    auto* const of = static_cast<Timer*>(argument);
    ++of->calls;
    of->error = DeleteTimerQueueTimer(nullptr, of->timer, of->completion) ? ERROR_SUCCESS : GetLastError();
    expect(of->completion == nullptr || WaitForSingleObject(of->completion, 0) == WAIT_TIMEOUT, "the call goes on");
}
void CALLBACK count(PVOID argument, BOOLEAN) {
    ++static_cast<Timer*>(argument)->calls;
}

void a_timer_that_deletes_itself(HANDLE completion) {
    Timer of;
    of.completion = completion;
    expect(CreateTimerQueueTimer(&of.timer, nullptr, delete_own_timer, &of, 1, 1, 0), "a timer each millisecond");
    Sleep(5);
    expect(of.calls == 1 && of.error == ERROR_IO_PENDING, "one call, which is under way when it deletes the timer");
    expect(completion == nullptr || WaitForSingleObject(completion, 0) == WAIT_OBJECT_0, "its end is told");
}

void timers_that_others_delete() {
    Timer of;
    HANDLE const gone = CreateEvent(nullptr, FALSE, FALSE, nullptr);
    expect(CreateTimerQueueTimer(&of.timer, nullptr, count, &of, 1, 0, 0), "a timer for one call");
    Sleep(3);
    expect(DeleteTimerQueueTimer(nullptr, of.timer, gone) && of.calls == 1, "it has made it");
    expect(WaitForSingleObject(gone, 0) == WAIT_OBJECT_0, "it is over already");
    expect(CreateTimerQueueTimer(&of.timer, nullptr, count, &of, 1, 1, 0), "a timer for calls");
    Sleep(0);
    expect(DeleteTimerQueueTimer(nullptr, of.timer, nullptr) != FALSE, "nothing is under way");
    Sleep(3);
    expect(of.calls == 1, "and nothing comes");
    CloseHandle(gone);
}

}  // namespace

int main() {
    a_thread_with_a_handle_of_its_own();
    a_thread_without_a_handle();
    looks_until_it_is_so();
    waits_beyond_their_limits();
    a_timer_that_deletes_itself(nullptr);
    HANDLE const completion = CreateEvent(nullptr, FALSE, FALSE, nullptr);
    a_timer_that_deletes_itself(completion);
    CloseHandle(completion);
    timers_that_others_delete();
    return failures;
}
