// SPDX-License-Identifier: Apache-2.0
#include "ndapi/win/threads.h"

#include <utility>

#include "ndapi/program/instance.hpp"
#include "ndapi/program/thread_list.hpp"
#include "ndapi/win/constants.h"
#include "ndapi/win/processes.h"

using ndsim::host;

namespace {

// Of a thread that is created suspended: it waits before it begins.
struct HeldBack {
    LPTHREAD_START_ROUTINE start;
    LPVOID argument;
    HANDLE gate;
};

DWORD begin_later(LPVOID argument) {
    const HeldBack held = *static_cast<HeldBack*>(argument);
    delete static_cast<HeldBack*>(argument);
    (void)host().wait(&held.gate, 1, false, INFINITE);
    return held.start(held.argument);
}

ndsim::ListedThread* listed(HANDLE thread) {
    ndsim::ListedThread* each = ndsim::instance().threads;
    while (each != nullptr && each->thread != thread) {
        each = each->next;
    }
    return each;
}

}  // namespace

HANDLE CreateThread(LPSECURITY_ATTRIBUTES, SIZE_T, LPTHREAD_START_ROUTINE start, LPVOID argument, DWORD flags,
                    LPDWORD id) {
    DWORD number = 0;
    HANDLE gate = nullptr;
    if ((flags & CREATE_SUSPENDED) != 0) {
        gate = host().create_event(true, false);
        argument = new HeldBack{start, argument, gate};
        start = begin_later;
    }
    HANDLE thread = host().create_thread(start, argument, &number);
    if (thread == nullptr) {
        return nullptr;
    }
    if (id != nullptr) {
        *id = number;
    }
    ndsim::ListedThread*& newest = ndsim::instance().threads;
    newest = new ndsim::ListedThread{thread, number, gate, newest};
    return thread;
}
DWORD ResumeThread(HANDLE thread) {
    ndsim::ListedThread* const found = listed(thread);
    if (found == nullptr) {
        host().set_last_error(ERROR_INVALID_HANDLE);
        return static_cast<DWORD>(-1);
    }
    HANDLE gate = std::exchange(found->gate, nullptr);
    return gate != nullptr && host().set_event(gate) == ERROR_SUCCESS ? 1 : 0;
}
DWORD GetThreadId(HANDLE thread) {
    if (thread == GetCurrentThread()) {
        return host().thread_id();
    }
    const ndsim::ListedThread* const found = listed(thread);
    return found == nullptr ? 0 : found->id;
}
uintptr_t _beginthreadex(void* attributes, unsigned stack_size, unsigned (*start)(void*), void* argument,
                         unsigned flags, unsigned* id) {
    auto* const security = static_cast<LPSECURITY_ATTRIBUTES>(attributes);
    return reinterpret_cast<uintptr_t>(CreateThread(security, stack_size, start, argument, flags, id));
}

void ExitThread(DWORD code) {
    host().exit_thread(code);
    __builtin_unreachable();  // of a virtual function the compiler does not know it
}
void _endthreadex(unsigned code) {
    host().exit_thread(code);
    __builtin_unreachable();  // of a virtual function the compiler does not know it
}

BOOL GetExitCodeThread(HANDLE thread, LPDWORD code) {
    *code = host().exit_code_of(thread);
    return TRUE;
}
DWORD GetCurrentThreadId() {
    return host().thread_id();
}
