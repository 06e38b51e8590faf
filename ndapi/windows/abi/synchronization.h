// SPDX-License-Identifier: Apache-2.0
// Semaphores, mutexes and timers that threads wait for, further handles, and waits for a value in memory. Names have no
// meaning here: all of them are the program's own. For C++ and C.
#pragma once

#include "ndapi/windows/abi/names.h"
#include "ndapi/windows/abi/threads.h"

typedef void (*PTIMERAPCROUTINE)(LPVOID argument, DWORD low, DWORD high);
typedef void (*PAPCFUNC)(ULONG_PTR parameter);

#ifdef __cplusplus
extern "C" {
#endif

HANDLE CreateSemaphoreW(LPSECURITY_ATTRIBUTES attributes, LONG count, LONG most, LPCWSTR name);
HANDLE CreateSemaphoreA(LPSECURITY_ATTRIBUTES attributes, LONG count, LONG most, LPCSTR name);
HANDLE CreateSemaphoreExW(LPSECURITY_ATTRIBUTES attributes, LONG count, LONG most, LPCWSTR name, DWORD flags,
                          DWORD access);
HANDLE CreateSemaphoreExA(LPSECURITY_ATTRIBUTES attributes, LONG count, LONG most, LPCSTR name, DWORD flags,
                          DWORD access);
// FALSE with ERROR_TOO_MANY_POSTS if it would count more than its most.
BOOL ReleaseSemaphore(HANDLE semaphore, LONG count, LPLONG previous);

// A wait that ends by a mutex whose owner has ended gives WAIT_ABANDONED.
HANDLE CreateMutexW(LPSECURITY_ATTRIBUTES attributes, BOOL owned, LPCWSTR name);
HANDLE CreateMutexA(LPSECURITY_ATTRIBUTES attributes, BOOL owned, LPCSTR name);
HANDLE CreateMutexExW(LPSECURITY_ATTRIBUTES attributes, LPCWSTR name, DWORD flags, DWORD access);
HANDLE CreateMutexExA(LPSECURITY_ATTRIBUTES attributes, LPCSTR name, DWORD flags, DWORD access);
BOOL ReleaseMutex(HANDLE mutex);  // FALSE with ERROR_NOT_OWNER from any thread but its owner

HANDLE CreateWaitableTimerW(LPSECURITY_ATTRIBUTES attributes, BOOL manual_reset, LPCWSTR name);
HANDLE CreateWaitableTimerA(LPSECURITY_ATTRIBUTES attributes, BOOL manual_reset, LPCSTR name);
HANDLE CreateWaitableTimerExW(LPSECURITY_ATTRIBUTES attributes, LPCWSTR name, DWORD flags, DWORD access);
// `due` in units of 100 ns: below zero from now, otherwise as a FILETIME. The period is in milliseconds; 0: once. A
// routine to be called is refused with ERROR_NOT_SUPPORTED.
BOOL SetWaitableTimer(HANDLE timer, const LARGE_INTEGER* due, LONG period, PTIMERAPCROUTINE routine, LPVOID argument,
                      BOOL resume);
BOOL CancelWaitableTimer(HANDLE timer);

// Sets an event, or releases a mutex or one of a semaphore, and then waits.
DWORD SignalObjectAndWait(HANDLE signalled, HANDLE waited, DWORD milliseconds, BOOL alertable);

// Between handles of this program alone; that of GetCurrentThread becomes one for the thread that calls.
BOOL DuplicateHandle(HANDLE source_process, HANDLE source, HANDLE target_process, LPHANDLE target, DWORD access,
                     BOOL inherit, DWORD options);
// The calling thread, or one that the program has made and whose handle is still open.
HANDLE OpenThread(DWORD access, BOOL inherit, DWORD id);

// While the value there is that at `compare`, until somebody wakes it. FALSE with ERROR_TIMEOUT if nobody has in time.
BOOL WaitOnAddress(volatile VOID* address, PVOID compare, SIZE_T size, DWORD milliseconds);
void WakeByAddressSingle(PVOID address);
void WakeByAddressAll(PVOID address);

// That thread calls the function when it sleeps, or waits for any of some handles, and is alertable; this ends with
// WAIT_IO_COMPLETION then. A wait for all of some handles is never alertable.
DWORD QueueUserAPC(PAPCFUNC function, HANDLE thread, ULONG_PTR parameter);

#ifdef __cplusplus
}
#endif

static inline HANDLE CreateSemaphore(LPSECURITY_ATTRIBUTES attributes, LONG count, LONG most, LPCWSTR name) {
    return CreateSemaphoreW(attributes, count, most, name);
}
static inline HANDLE CreateSemaphoreEx(LPSECURITY_ATTRIBUTES attributes, LONG count, LONG most, LPCWSTR name,
                                       DWORD flags, DWORD access) {
    return CreateSemaphoreExW(attributes, count, most, name, flags, access);
}
static inline HANDLE CreateMutex(LPSECURITY_ATTRIBUTES attributes, BOOL owned, LPCWSTR name) {
    return CreateMutexW(attributes, owned, name);
}
static inline HANDLE CreateMutexEx(LPSECURITY_ATTRIBUTES attributes, LPCWSTR name, DWORD flags, DWORD access) {
    return CreateMutexExW(attributes, name, flags, access);
}
static inline HANDLE CreateWaitableTimer(LPSECURITY_ATTRIBUTES attributes, BOOL manual_reset, LPCWSTR name) {
    return CreateWaitableTimerW(attributes, manual_reset, name);
}
static inline HANDLE CreateWaitableTimerEx(LPSECURITY_ATTRIBUTES attributes, LPCWSTR name, DWORD flags, DWORD access) {
    return CreateWaitableTimerExW(attributes, name, flags, access);
}
