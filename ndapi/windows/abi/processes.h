// SPDX-License-Identifier: Apache-2.0
// What a program asks about itself, its threads and its processors, and what it asks of them that has no meaning here:
// each thread has a core of its own, so priorities and affinities change nothing. For C++ and C.
#pragma once

#include "ndapi/windows/abi/clock.h"
#include "ndapi/windows/abi/names.h"

typedef struct _PROCESSOR_NUMBER {
    WORD Group;
    BYTE Number;
    BYTE Reserved;
} PROCESSOR_NUMBER, *PPROCESSOR_NUMBER;

typedef BOOL (*PHANDLER_ROUTINE)(DWORD type);

#ifdef __cplusplus
extern "C" {
#endif

HANDLE GetCurrentProcess(void);
HANDLE GetCurrentThread(void);
DWORD GetCurrentProcessId(void);
int _getpid(void);

// All time of the program's cores that is not idle is the user's (as GetSystemTimes has it): a thread that polls is
// busy.
BOOL GetProcessTimes(HANDLE process, LPFILETIME creation, LPFILETIME end, LPFILETIME kernel, LPFILETIME user);
BOOL GetThreadTimes(HANDLE thread, LPFILETIME creation, LPFILETIME end, LPFILETIME kernel, LPFILETIME user);

DWORD GetCurrentProcessorNumber(void);
void GetCurrentProcessorNumberEx(PPROCESSOR_NUMBER number);
WORD GetActiveProcessorGroupCount(void);
DWORD GetActiveProcessorCount(WORD group);
BOOL GetProcessAffinityMask(HANDLE process, PDWORD_PTR process_mask, PDWORD_PTR system_mask);
BOOL SetProcessAffinityMask(HANDLE process, DWORD_PTR mask);
DWORD_PTR SetThreadAffinityMask(HANDLE thread, DWORD_PTR mask);  // what it was: all
BOOL SetThreadGroupAffinity(HANDLE thread, const GROUP_AFFINITY* affinity, GROUP_AFFINITY* previous);
DWORD SetThreadIdealProcessor(HANDLE thread, DWORD processor);
BOOL SetThreadPriority(HANDLE thread, int priority);
int GetThreadPriority(HANDLE thread);
BOOL SetPriorityClass(HANDLE process, DWORD priority);
DWORD GetPriorityClass(HANDLE process);
BOOL SetProcessWorkingSetSize(HANDLE process, SIZE_T least, SIZE_T most);

// Nobody presses a key here, so the handler is never called.
BOOL SetConsoleCtrlHandler(PHANDLER_ROUTINE handler, BOOL add);
BOOL IsDebuggerPresent(void);
void OutputDebugStringA(LPCSTR text);
void OutputDebugStringW(LPCWSTR text);
void DebugBreak(void);

#ifdef __cplusplus
}
#endif

static inline void OutputDebugString(LPCWSTR text) {
    OutputDebugStringW(text);
}
