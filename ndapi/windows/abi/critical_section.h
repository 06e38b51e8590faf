// SPDX-License-Identifier: Apache-2.0
// A lock that its owner may enter again. Threads of a program that find it taken wait in simulated time. For C++ and C.
#pragma once

#include "ndapi/windows/abi/names.h"

typedef struct _RTL_CRITICAL_SECTION {
    LONG LockCount;       // how many threads wait
    LONG RecursionCount;  // how often its owner has entered; 0: it is free
    ULONG_PTR OwningThread;
    HANDLE LockSemaphore;  // an event, from the first wait on
} CRITICAL_SECTION, *PCRITICAL_SECTION, *LPCRITICAL_SECTION;

#ifdef __cplusplus
extern "C" {
#endif

void InitializeCriticalSection(LPCRITICAL_SECTION section);
void EnterCriticalSection(LPCRITICAL_SECTION section);
void LeaveCriticalSection(LPCRITICAL_SECTION section);
// How often to spin does not matter: a thread that waits gives way.
BOOL InitializeCriticalSectionAndSpinCount(LPCRITICAL_SECTION section, DWORD spins);
BOOL InitializeCriticalSectionEx(LPCRITICAL_SECTION section, DWORD spins, DWORD flags);
DWORD SetCriticalSectionSpinCount(LPCRITICAL_SECTION section, DWORD spins);
BOOL TryEnterCriticalSection(LPCRITICAL_SECTION section);
void DeleteCriticalSection(LPCRITICAL_SECTION section);

#ifdef __cplusplus
}
#endif
