// SPDX-License-Identifier: Apache-2.0
// Locks without handles, condition variables, things done once, and slots of threads. Threads that find a lock taken
// wait in simulated time. For C++ and C.
#pragma once

#include "ndapi/windows/abi/critical_section.h"

typedef struct _RTL_SRWLOCK {
    ULONG Readers;
    ULONG Writer;
} SRWLOCK, *PSRWLOCK;

typedef struct _RTL_CONDITION_VARIABLE {
    PVOID Ptr;  // always null: who waits is known by its address
} CONDITION_VARIABLE, *PCONDITION_VARIABLE;

// Of as many threads as have to be there before any of them goes on.
typedef struct _RTL_BARRIER {
    LONG Threads;
    LONG Missing;
} SYNCHRONIZATION_BARRIER, *PSYNCHRONIZATION_BARRIER, *LPSYNCHRONIZATION_BARRIER;

typedef union _RTL_RUN_ONCE {
    PVOID Ptr;
    ULONG_PTR Value;
} INIT_ONCE, *PINIT_ONCE, *LPINIT_ONCE;
typedef BOOL (*PINIT_ONCE_FN)(PINIT_ONCE once, PVOID parameter, PVOID* context);
typedef void (*PFLS_CALLBACK_FUNCTION)(PVOID value);

#define SRWLOCK_INIT \
    { 0 }
#define RTL_SRWLOCK_INIT SRWLOCK_INIT
#define CONDITION_VARIABLE_INIT \
    { 0 }
#define RTL_CONDITION_VARIABLE_INIT CONDITION_VARIABLE_INIT
#define INIT_ONCE_STATIC_INIT \
    { 0 }

#ifdef __cplusplus
extern "C" {
#endif

void InitializeSRWLock(PSRWLOCK lock);
void AcquireSRWLockExclusive(PSRWLOCK lock);
void AcquireSRWLockShared(PSRWLOCK lock);
BOOLEAN TryAcquireSRWLockExclusive(PSRWLOCK lock);
BOOLEAN TryAcquireSRWLockShared(PSRWLOCK lock);
void ReleaseSRWLockExclusive(PSRWLOCK lock);
void ReleaseSRWLockShared(PSRWLOCK lock);

void InitializeConditionVariable(PCONDITION_VARIABLE variable);
// FALSE with ERROR_TIMEOUT if nobody has woken it in time. The lock is held again in either case.
BOOL SleepConditionVariableCS(PCONDITION_VARIABLE variable, PCRITICAL_SECTION section, DWORD milliseconds);
BOOL SleepConditionVariableSRW(PCONDITION_VARIABLE variable, PSRWLOCK lock, DWORD milliseconds, ULONG flags);
void WakeConditionVariable(PCONDITION_VARIABLE variable);
void WakeAllConditionVariable(PCONDITION_VARIABLE variable);

BOOL InitializeSynchronizationBarrier(LPSYNCHRONIZATION_BARRIER barrier, LONG threads, LONG spins);
// TRUE for the thread that comes last.
BOOL EnterSynchronizationBarrier(LPSYNCHRONIZATION_BARRIER barrier, DWORD flags);
BOOL DeleteSynchronizationBarrier(LPSYNCHRONIZATION_BARRIER barrier);

void InitOnceInitialize(PINIT_ONCE once);
BOOL InitOnceExecuteOnce(PINIT_ONCE once, PINIT_ONCE_FN function, PVOID parameter, LPVOID* context);

// A value of each thread's own, NULL at first.
DWORD TlsAlloc(void);
BOOL TlsFree(DWORD index);
LPVOID TlsGetValue(DWORD index);
BOOL TlsSetValue(DWORD index, LPVOID value);

#ifdef __cplusplus
}
#endif
