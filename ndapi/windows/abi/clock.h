// SPDX-License-Identifier: Apache-2.0
// Time and processors as a program sees them: simulated ones. For C++ and C.
#pragma once

#include "ndapi/windows/abi/calendar.h"
#include "ndapi/windows/abi/names.h"

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

typedef struct _SYSTEMTIME {
    WORD wYear;
    WORD wMonth;
    WORD wDayOfWeek;
    WORD wDay;
    WORD wHour;
    WORD wMinute;
    WORD wSecond;
    WORD wMilliseconds;
} SYSTEMTIME, *PSYSTEMTIME, *LPSYSTEMTIME;

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
void GetNativeSystemInfo(SYSTEM_INFO* info);
// Of the day: a run begins on 1 January 2025, and hosts live in UTC. A FILETIME counts from 1601.
void GetSystemTimeAsFileTime(FILETIME* time);
void GetSystemTimePreciseAsFileTime(FILETIME* time);
BOOL FileTimeToSystemTime(const FILETIME* time, SYSTEMTIME* parts);
void GetSystemTime(SYSTEMTIME* parts);
void GetLocalTime(SYSTEMTIME* parts);
BOOL QueryThreadCycleTime(HANDLE thread, ULONG64* cycles);  // nanoseconds
void QueryInterruptTime(ULONGLONG* time);

#ifdef __cplusplus
}
#endif
