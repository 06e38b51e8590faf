// SPDX-License-Identifier: Apache-2.0
// Events, waits, threads, and the end of a program. For C++ and C.
#pragma once

#include <stdint.h>

#include "ndapi/windows/abi/names.h"

typedef DWORD (*LPTHREAD_START_ROUTINE)(LPVOID);
typedef DWORD (*PTHREAD_START_ROUTINE)(LPVOID);

#ifdef __cplusplus
extern "C" {
#endif

// Names have no meaning here: events are the program's own.
HANDLE CreateEventW(LPSECURITY_ATTRIBUTES attributes, BOOL manual_reset, BOOL signalled, LPCWSTR name);
HANDLE CreateEventA(LPSECURITY_ATTRIBUTES attributes, BOOL manual_reset, BOOL signalled, LPCSTR name);
BOOL SetEvent(HANDLE event);
BOOL ResetEvent(HANDLE event);
BOOL CloseHandle(HANDLE handle);
DWORD WaitForSingleObject(HANDLE handle, DWORD milliseconds);
DWORD WaitForMultipleObjects(DWORD count, const HANDLE* handles, BOOL all, DWORD milliseconds);

// With alertable they end also by a call that was queued to the thread (QueueUserAPC).
DWORD WaitForSingleObjectEx(HANDLE handle, DWORD milliseconds, BOOL alertable);
DWORD WaitForMultipleObjectsEx(DWORD count, const HANDLE* handles, BOOL all, DWORD milliseconds, BOOL alertable);
DWORD SleepEx(DWORD milliseconds, BOOL alertable);
HANDLE CreateEventExW(LPSECURITY_ATTRIBUTES attributes, LPCWSTR name, DWORD flags, DWORD access);

// A thread runs on a core of its own. Created suspended it starts with ResumeThread; it cannot be suspended later.
HANDLE CreateThread(LPSECURITY_ATTRIBUTES attributes, SIZE_T stack_size, LPTHREAD_START_ROUTINE start, LPVOID argument,
                    DWORD flags, LPDWORD id);
uintptr_t _beginthreadex(void* attributes, unsigned stack_size, unsigned (*start)(void*), void* argument,
                         unsigned flags, unsigned* id);
DWORD ResumeThread(HANDLE thread);  // 1 if it was suspended, otherwise 0
DWORD GetThreadId(HANDLE thread);
// TRUE: other software has had its chance.
BOOL SwitchToThread(void);
__attribute__((noreturn)) void _endthreadex(unsigned code);
__attribute__((noreturn)) void ExitThread(DWORD code);
BOOL GetExitCodeThread(HANDLE thread, LPDWORD code);
DWORD GetCurrentThreadId(void);

__attribute__((noreturn)) void ExitProcess(UINT code);
__attribute__((noreturn)) void _exit(int code);  // without exit handlers

// A point at which other software of the host may go on.
void ndsim_interlocked(void);

// Of the calling thread.
DWORD GetLastError(void);
void SetLastError(DWORD error);

#ifdef __cplusplus
}
#endif

static inline HANDLE CreateEvent(LPSECURITY_ATTRIBUTES attributes, BOOL manual_reset, BOOL signalled, LPCWSTR name) {
    return CreateEventW(attributes, manual_reset, signalled, name);
}
// Of a loop that spins: what it waits for can happen meanwhile.
static inline void YieldProcessor(void) {
    ndsim_interlocked();
}
static inline void MemoryBarrier(void) {
    __sync_synchronize();
}
