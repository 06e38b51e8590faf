// SPDX-License-Identifier: Apache-2.0
// Semaphores, mutexes and timers, and further handles of what a program has.
#include "ndapi/windows/abi/synchronization.h"

#include <algorithm>

#include "ndapi/windows/abi/clock.h"
#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/processes.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/open_files.hpp"
#include "ndapi/windows/program/thread_list.hpp"

using ndsim::host;
using ndsim::succeeded;

namespace {

constexpr std::uint64_t kNanosecondsPerUnit = 100;

// Whatever there is to signal about it.
ndsim::Win32Error signal(HANDLE handle) {
    ndsim::Win32Error error = host().set_event(handle);
    if (error == ERROR_INVALID_HANDLE) {
        error = host().release_mutex(handle);
    }
    return error == ERROR_INVALID_HANDLE ? host().release_semaphore(handle, 1, nullptr) : error;
}

// From now until a time of the day.
std::uint64_t units_until(LONGLONG due) {
    FILETIME time;
    GetSystemTimeAsFileTime(&time);
    const auto now = static_cast<LONGLONG>((std::uint64_t{time.dwHighDateTime} << 32) | time.dwLowDateTime);
    return static_cast<std::uint64_t>(std::max<LONGLONG>(due - now, 0));
}

HANDLE listed(HANDLE thread, DWORD id) {
    if (thread != nullptr) {
        ndsim::list_thread(thread, id, nullptr);
    }
    return thread;
}

HANDLE duplicate(HANDLE source) {
    if (source == GetCurrentProcess()) {
        return source;
    }
    if (source == GetCurrentThread()) {
        return OpenThread(0, FALSE, host().thread_id());
    }
    const DWORD id = GetThreadId(source);
    const ndsim::OpenFile* const file = ndsim::open_file(source);
    HANDLE further = host().duplicate_handle(source);
    if (further != nullptr && file != nullptr && !ndsim::open_again(*file, further)) {
        host().close_handle(further);
        host().set_last_error(ERROR_TOO_MANY_OPEN_FILES);
        return nullptr;
    }
    return id == 0 ? further : listed(further, id);
}

}  // namespace

HANDLE CreateSemaphoreW(LPSECURITY_ATTRIBUTES, LONG count, LONG most, LPCWSTR) {
    return host().create_semaphore(count, most);
}
HANDLE CreateSemaphoreA(LPSECURITY_ATTRIBUTES, LONG count, LONG most, LPCSTR) {
    return host().create_semaphore(count, most);
}
HANDLE CreateSemaphoreExW(LPSECURITY_ATTRIBUTES, LONG count, LONG most, LPCWSTR, DWORD, DWORD) {
    return host().create_semaphore(count, most);
}
HANDLE CreateSemaphoreExA(LPSECURITY_ATTRIBUTES, LONG count, LONG most, LPCSTR, DWORD, DWORD) {
    return host().create_semaphore(count, most);
}
BOOL ReleaseSemaphore(HANDLE semaphore, LONG count, LPLONG previous) {
    return succeeded(host().release_semaphore(semaphore, count, previous));
}

HANDLE CreateMutexW(LPSECURITY_ATTRIBUTES, BOOL owned, LPCWSTR) {
    return host().create_mutex(owned != FALSE);
}
HANDLE CreateMutexA(LPSECURITY_ATTRIBUTES, BOOL owned, LPCSTR) {
    return host().create_mutex(owned != FALSE);
}
HANDLE CreateMutexExW(LPSECURITY_ATTRIBUTES, LPCWSTR, DWORD flags, DWORD) {
    return host().create_mutex((flags & CREATE_MUTEX_INITIAL_OWNER) != 0);
}
HANDLE CreateMutexExA(LPSECURITY_ATTRIBUTES, LPCSTR, DWORD flags, DWORD) {
    return host().create_mutex((flags & CREATE_MUTEX_INITIAL_OWNER) != 0);
}
BOOL ReleaseMutex(HANDLE mutex) {
    return succeeded(host().release_mutex(mutex));
}

HANDLE CreateWaitableTimerW(LPSECURITY_ATTRIBUTES, BOOL manual_reset, LPCWSTR) {
    return host().create_timer(manual_reset != FALSE);
}
HANDLE CreateWaitableTimerA(LPSECURITY_ATTRIBUTES, BOOL manual_reset, LPCSTR) {
    return host().create_timer(manual_reset != FALSE);
}
HANDLE CreateWaitableTimerExW(LPSECURITY_ATTRIBUTES, LPCWSTR, DWORD flags, DWORD) {
    return host().create_timer((flags & CREATE_WAITABLE_TIMER_MANUAL_RESET) != 0);
}
BOOL SetWaitableTimer(HANDLE timer, const LARGE_INTEGER* due, LONG period, PTIMERAPCROUTINE routine, LPVOID, BOOL) {
    if (routine != nullptr || period < 0) {
        return succeeded(routine != nullptr ? ERROR_NOT_SUPPORTED : ERROR_INVALID_PARAMETER);
    }
    const LONGLONG when = due->QuadPart;
    const std::uint64_t units = when < 0 ? 0 - static_cast<std::uint64_t>(when) : units_until(when);
    constexpr std::uint64_t kMost = UINT64_MAX / kNanosecondsPerUnit;
    return succeeded(host().set_timer(timer, std::min(units, kMost) * kNanosecondsPerUnit, static_cast<DWORD>(period)));
}
BOOL CancelWaitableTimer(HANDLE timer) {
    return succeeded(host().cancel_timer(timer));
}

DWORD SignalObjectAndWait(HANDLE signalled, HANDLE waited, DWORD milliseconds, BOOL alertable) {
    return succeeded(signal(signalled)) != FALSE ? WaitForSingleObjectEx(waited, milliseconds, alertable) : WAIT_FAILED;
}

BOOL DuplicateHandle(HANDLE source_process, HANDLE source, HANDLE target_process, LPHANDLE target, DWORD, BOOL,
                     DWORD options) {
    if (source_process != GetCurrentProcess() || target_process != GetCurrentProcess()) {
        return succeeded(ERROR_INVALID_HANDLE);
    }
    HANDLE further = duplicate(source);
    if (further == nullptr) {
        return FALSE;
    }
    if ((options & DUPLICATE_CLOSE_SOURCE) != 0) {
        CloseHandle(source);
    }
    if (target != nullptr) {
        *target = further;
    }
    return TRUE;
}

HANDLE OpenThread(DWORD, BOOL, DWORD id) {
    return listed(host().open_thread(id), id);
}
