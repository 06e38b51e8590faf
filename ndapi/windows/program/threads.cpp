// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/threads.h"

#include <utility>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/processes.h"
#include "ndapi/windows/program/alerts.hpp"
#include "ndapi/windows/program/ending.hpp"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/thread_list.hpp"
#include "ndapi/windows/program/thread_locals.hpp"

using ndsim::host;

namespace {

// What a thread begins with; one that is created suspended waits at the gate.
struct Beginning {
    LPTHREAD_START_ROUTINE start;
    LPVOID argument;
    HANDLE gate;
};

DWORD begin(LPVOID argument) {
    const Beginning beginning = *static_cast<Beginning*>(argument);
    delete static_cast<Beginning*>(argument);
    if (beginning.gate != nullptr) {
        (void)host().wait(&beginning.gate, 1, false, INFINITE);  // fails at once if it was opened before
    }
    const DWORD code = ndsim::thread_result([&] {
        (void)ndsim::make_queued_calls();  // those queued before it begins come first
        return beginning.start(beginning.argument);
    });
    ndsim::end_thread();
    return code;
}

ndsim::ListedThread* listed(HANDLE thread) {
    ndsim::ListedThread* each = ndsim::instance().threads;
    while (each != nullptr && each->thread != thread) {
        each = each->next;
    }
    return each;
}

}  // namespace

void ndsim::list_thread(HANDLE thread, DWORD id, HANDLE gate) {
    ListedThread** end = &instance().threads;
    while (*end != nullptr) {
        end = &(*end)->next;
    }
    *end = new ListedThread{thread, id, gate, nullptr};
}

HANDLE CreateThread(LPSECURITY_ATTRIBUTES, SIZE_T, LPTHREAD_START_ROUTINE start, LPVOID argument, DWORD flags,
                    LPDWORD id) {
    DWORD number = 0;
    HANDLE gate = (flags & CREATE_SUSPENDED) != 0 ? host().create_event(true, false) : nullptr;
    auto* const beginning = new Beginning{start, argument, gate};
    HANDLE thread = host().create_thread(begin, beginning, &number);
    if (thread == nullptr) {
        host().close_handle(gate);
        delete beginning;
        return nullptr;
    }
    if (id != nullptr) {
        *id = number;
    }
    ndsim::list_thread(thread, number, gate);
    return thread;
}
DWORD ResumeThread(HANDLE thread) {
    ndsim::ListedThread* const found = listed(thread);
    if (found == nullptr) {
        host().set_last_error(ERROR_INVALID_HANDLE);
        return static_cast<DWORD>(-1);
    }
    HANDLE gate = std::exchange(found->gate, nullptr);
    if (gate == nullptr) {
        return 0;
    }
    host().set_event(gate);
    host().close_handle(gate);
    return 1;
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
    ndsim::end_thread();
    host().exit_thread(code);
    __builtin_unreachable();  // of a virtual function the compiler does not know it
}
void _endthreadex(unsigned code) {
    ndsim::end_thread();
    host().exit_thread(code);
    __builtin_unreachable();  // of a virtual function the compiler does not know it
}

BOOL GetExitCodeThread(HANDLE thread, LPDWORD code) {
    if (thread == GetCurrentThread()) {
        *code = STILL_ACTIVE;
        return TRUE;
    }
    return ndsim::succeeded(host().exit_code_of(thread, *code));
}
DWORD GetCurrentThreadId() {
    return host().thread_id();
}
