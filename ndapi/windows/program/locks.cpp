// SPDX-License-Identifier: Apache-2.0
// Nothing else of the host runs between two calls of its ProgramHost, so the members need no further protection.
#include "ndapi/windows/abi/locks.h"

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/thread_waits.hpp"

using ndsim::AddressWait;
using ndsim::host;
using ndsim::ProgramHost;
using ndsim::wait_at;
using ndsim::wait_end;
using ndsim::wake_all_at;
using ndsim::wake_at;

namespace {

constexpr ULONG kShared = 1;  // CONDITION_VARIABLE_LOCKMODE_SHARED
constexpr ULONG_PTR kBegun = 1;
constexpr ULONG_PTR kDone = 2;  // the rest is the context

// The wait begins before the lock is let go of, so that no wake is missed.
template <class Release, class Acquire>
BOOL sleep(const CONDITION_VARIABLE& variable, DWORD milliseconds, Release release, Acquire acquire) {
    bool is_woken = false;
    {
        AddressWait wait(&variable);
        const ndsim::WaitEnd end = wait_end(milliseconds);
        release();
        is_woken = wait.wait(end);
    }
    acquire();
    return ndsim::succeeded(is_woken ? ERROR_SUCCESS : ERROR_TIMEOUT);
}

}  // namespace

void InitializeSRWLock(PSRWLOCK lock) {
    *lock = {};
}
BOOLEAN TryAcquireSRWLockExclusive(PSRWLOCK lock) {
    host().interlocked();
    if (lock->Writer != 0 || lock->Readers > 0) {
        return FALSE;
    }
    lock->Writer = 1;
    return TRUE;
}
BOOLEAN TryAcquireSRWLockShared(PSRWLOCK lock) {
    host().interlocked();
    if (lock->Writer != 0) {
        return FALSE;
    }
    ++lock->Readers;
    return TRUE;
}
void AcquireSRWLockExclusive(PSRWLOCK lock) {
    host().interlocked();
    while (lock->Writer != 0 || lock->Readers > 0) {
        (void)wait_at(lock);
    }
    lock->Writer = 1;
}
// One that waited beside it may be another reader.
void AcquireSRWLockShared(PSRWLOCK lock) {
    host().interlocked();
    while (lock->Writer != 0) {
        (void)wait_at(lock);
    }
    ++lock->Readers;
    wake_at(lock, 1);
}
void ReleaseSRWLockExclusive(PSRWLOCK lock) {
    host().interlocked(ProgramHost::Interlocked::give);
    lock->Writer = 0;
    wake_at(lock, 1);
}
void ReleaseSRWLockShared(PSRWLOCK lock) {
    host().interlocked(ProgramHost::Interlocked::give);
    if (--lock->Readers == 0) {
        wake_at(lock, 1);
    }
}

void InitializeConditionVariable(PCONDITION_VARIABLE variable) {
    variable->Ptr = nullptr;
}
BOOL SleepConditionVariableCS(PCONDITION_VARIABLE variable, PCRITICAL_SECTION section, DWORD milliseconds) {
    return sleep(
        *variable, milliseconds, [section] { LeaveCriticalSection(section); },
        [section] { EnterCriticalSection(section); });
}
BOOL SleepConditionVariableSRW(PCONDITION_VARIABLE variable, PSRWLOCK lock, DWORD milliseconds, ULONG flags) {
    const bool is_shared = (flags & kShared) != 0;
    return sleep(
        *variable, milliseconds,
        [lock, is_shared] { is_shared ? ReleaseSRWLockShared(lock) : ReleaseSRWLockExclusive(lock); },
        [lock, is_shared] { is_shared ? AcquireSRWLockShared(lock) : AcquireSRWLockExclusive(lock); });
}
void WakeConditionVariable(PCONDITION_VARIABLE variable) {
    wake_at(variable, 1);
}
void WakeAllConditionVariable(PCONDITION_VARIABLE variable) {
    wake_all_at(variable);
}

BOOL InitializeSynchronizationBarrier(LPSYNCHRONIZATION_BARRIER barrier, LONG threads, LONG) {
    *barrier = {threads, threads};
    return ndsim::succeeded(threads > 0 ? ERROR_SUCCESS : ERROR_INVALID_PARAMETER);
}
BOOL EnterSynchronizationBarrier(LPSYNCHRONIZATION_BARRIER barrier, DWORD) {
    host().interlocked();
    if (--barrier->Missing == 0) {
        barrier->Missing = barrier->Threads;
        wake_all_at(barrier);
        return TRUE;
    }
    (void)wait_at(barrier);
    return FALSE;
}
BOOL DeleteSynchronizationBarrier(LPSYNCHRONIZATION_BARRIER) {
    return TRUE;
}

void InitOnceInitialize(PINIT_ONCE once) {
    once->Value = 0;
}
BOOL InitOnceExecuteOnce(PINIT_ONCE once, PINIT_ONCE_FN function, PVOID parameter, LPVOID* context) {
    while (once->Value == kBegun) {
        (void)wait_at(once);  // another thread is at it
    }
    if (once->Value == 0) {
        once->Value = kBegun;
        PVOID made = nullptr;
        const BOOL is_made = function(once, parameter, &made);
        once->Value = is_made != FALSE ? reinterpret_cast<ULONG_PTR>(made) | kDone : 0;
        wake_all_at(once);
        if (is_made == FALSE) {
            return FALSE;
        }
    }
    if (context != nullptr) {
        *context = reinterpret_cast<LPVOID>(once->Value & ~kDone);
    }
    return TRUE;
}
