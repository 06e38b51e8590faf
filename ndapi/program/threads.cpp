// SPDX-License-Identifier: Apache-2.0
#include "ndapi/win/threads.h"

#include "ndapi/program/instance.hpp"
#include "ndapi/win/constants.h"

using ndsim::host;

HANDLE CreateThread(LPSECURITY_ATTRIBUTES, SIZE_T, LPTHREAD_START_ROUTINE start, LPVOID argument, DWORD flags,
                    LPDWORD id) {
    if ((flags & CREATE_SUSPENDED) != 0) {
        host().set_last_error(ERROR_NOT_SUPPORTED);
        return nullptr;
    }
    return host().create_thread(start, argument, id);
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
