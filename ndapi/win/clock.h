// SPDX-License-Identifier: Apache-2.0
// Time and processors as a program sees them: simulated ones. For C++ and C.
#pragma once

#include "ndapi/win/names.h"

typedef struct _FILETIME {
    DWORD dwLowDateTime;
    DWORD dwHighDateTime;
} FILETIME, *PFILETIME, *LPFILETIME;

typedef struct _SYSTEM_INFO {
    __extension__ union {
        DWORD dwOemId;
        struct {
            WORD wProcessorArchitecture;
            WORD wReserved;
        };
    };
    DWORD dwPageSize;
    LPVOID lpMinimumApplicationAddress;
    LPVOID lpMaximumApplicationAddress;
    DWORD_PTR dwActiveProcessorMask;
    DWORD dwNumberOfProcessors;
    DWORD dwProcessorType;
    DWORD dwAllocationGranularity;
    WORD wProcessorLevel;
    WORD wProcessorRevision;
} SYSTEM_INFO, *LPSYSTEM_INFO;

#ifdef __cplusplus
extern "C" {
#endif

// 0 lets other software go on, INFINITE is for ever.
void Sleep(DWORD milliseconds);
// Counts nanoseconds.
BOOL QueryPerformanceCounter(LARGE_INTEGER* count);
BOOL QueryPerformanceFrequency(LARGE_INTEGER* frequency);
DWORD GetTickCount(void);
ULONGLONG GetTickCount64(void);
// In units of 100 ns, summed over all processors; the kernel's time contains the idle one.
BOOL GetSystemTimes(FILETIME* idle, FILETIME* kernel, FILETIME* user);
void GetSystemInfo(SYSTEM_INFO* info);

#ifdef __cplusplus
}
#endif
