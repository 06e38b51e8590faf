// SPDX-License-Identifier: Apache-2.0
// A program that queues calls to threads, and returns the line of the first one that comes at another time than Windows
// says.
#include <windows.h>

#include <vector>

#include "tests/ndapi/windows/program/clients/expect.hpp"

namespace {

std::vector<ULONG_PTR> order;

constexpr ULONG_PTR kThread = 10;
constexpr ULONG_PTR kAlerted = 11;

void CALLBACK on_call(ULONG_PTR number) {
    order.push_back(number);
}

DWORD WINAPI alertable(LPVOID) {
    order.push_back(kThread);
    if (SleepEx(5, TRUE) == WAIT_IO_COMPLETION) {
        order.push_back(kAlerted);
    }
    return 0;
}

// Calls that are queued before a thread begins come before its function.
int before_a_thread() {
    order.clear();
    HANDLE thread = CreateThread(nullptr, 0, alertable, nullptr, CREATE_SUSPENDED, nullptr);
    EXPECT(QueueUserAPC(on_call, thread, 1) && QueueUserAPC(on_call, thread, 2));
    Sleep(1);
    EXPECT(order.empty());
    EXPECT(ResumeThread(thread) == 1 && WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0);
    EXPECT((order == std::vector<ULONG_PTR>{1, 2, kThread}));
    return 0;
}

// Later ones end its alertable wait.
int while_it_waits() {
    order.clear();
    HANDLE thread = CreateThread(nullptr, 0, alertable, nullptr, 0, nullptr);
    Sleep(1);
    EXPECT(QueueUserAPC(on_call, thread, 1));
    EXPECT(WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0);
    EXPECT((order == std::vector<ULONG_PTR>{kThread, 1, kAlerted}));
    return 0;
}

// An object that is signaled ends an alertable wait first; the next one, for which nothing is signaled, makes the call.
int behind_a_signaled_object() {
    order.clear();
    HANDLE event = CreateEvent(nullptr, FALSE, TRUE, nullptr);
    EXPECT(QueueUserAPC(on_call, GetCurrentThread(), 1));
    EXPECT(WaitForSingleObjectEx(event, INFINITE, TRUE) == WAIT_OBJECT_0 && order.empty());
    EXPECT(WaitForSingleObjectEx(event, 0, TRUE) == WAIT_IO_COMPLETION);
    EXPECT((order == std::vector<ULONG_PTR>{1}));
    EXPECT(WaitForSingleObjectEx(event, 0, TRUE) == WAIT_TIMEOUT);
    return CloseHandle(event) != FALSE ? 0 : __LINE__;
}

}  // namespace

int main() {
    for (const auto& test : {before_a_thread, while_it_waits, behind_a_signaled_object}) {
        if (const int line = test(); line != 0) {
            return line;
        }
    }
    return 0;
}
