// SPDX-License-Identifier: Apache-2.0
// Nothing else of the host runs between two calls of its ProgramHost, so the members need no further protection.
#include "ndapi/win/locks.h"

#include <cstdint>

#include "ndapi/program/instance.hpp"
#include "ndapi/win/constants.h"

using ndsim::host;

namespace {

constexpr ULONG kShared = 1;  // CONDITION_VARIABLE_LOCKMODE_SHARED
constexpr ULONG_PTR kBegun = 1;
constexpr ULONG_PTR kDone = 2;  // the rest is the context

// Handles are small numbers, so half of one is enough.
HANDLE event_of(const SRWLOCK& lock) {
    return reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(lock.Event));
}

// Whoever finds the lock taken waits for the next release, and looks again.
void wait_for_release(SRWLOCK& lock) {
    if (lock.Waiting++ == 0) {
        lock.Event = static_cast<ULONG>(reinterpret_cast<std::uintptr_t>(host().create_event(false, false)));
    }
    HANDLE event = event_of(lock);
    if (host().wait(&event, 1, false, INFINITE) != WAIT_OBJECT_0) {
        host().sleep(1);  // there was no event to be had, so look again
    }
    if (--lock.Waiting == 0) {
        host().close_handle(event);
        lock.Event = 0;
    }
}

void let_next_look(const SRWLOCK& lock) {
    if (lock.Waiting > 0) {
        host().set_event(event_of(lock));
    }
}

struct Sleeper {
    Sleeper* next;
    HANDLE event;
    bool is_woken;
};

Sleeper*& first_of(CONDITION_VARIABLE& variable) {
    return reinterpret_cast<Sleeper*&>(variable.Ptr);
}

void append(CONDITION_VARIABLE& variable, Sleeper& sleeper) {
    Sleeper** end = &first_of(variable);
    while (*end != nullptr) {
        end = &(*end)->next;
    }
    *end = &sleeper;
}

void remove(CONDITION_VARIABLE& variable, const Sleeper& sleeper) {
    Sleeper** at = &first_of(variable);
    while (*at != nullptr && *at != &sleeper) {
        at = &(*at)->next;
    }
    if (*at != nullptr) {
        *at = sleeper.next;
    }
}

template <class Release, class Acquire>
BOOL sleep(CONDITION_VARIABLE& variable, DWORD milliseconds, Release release, Acquire acquire) {
    Sleeper sleeper{nullptr, host().create_event(false, false), false};
    append(variable, sleeper);
    release();
    (void)host().wait(&sleeper.event, 1, false, milliseconds);
    if (!sleeper.is_woken) {
        remove(variable, sleeper);
    }
    host().close_handle(sleeper.event);
    acquire();
    return ndsim::succeeded(sleeper.is_woken ? ERROR_SUCCESS : ERROR_TIMEOUT);
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
        wait_for_release(*lock);
    }
    lock->Writer = 1;
}
// One that waited beside it may be another reader.
void AcquireSRWLockShared(PSRWLOCK lock) {
    host().interlocked();
    while (lock->Writer != 0) {
        wait_for_release(*lock);
    }
    ++lock->Readers;
    let_next_look(*lock);
}
void ReleaseSRWLockExclusive(PSRWLOCK lock) {
    lock->Writer = 0;
    let_next_look(*lock);
}
void ReleaseSRWLockShared(PSRWLOCK lock) {
    if (--lock->Readers == 0) {
        let_next_look(*lock);
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
    Sleeper* const first = first_of(*variable);
    if (first != nullptr) {
        first_of(*variable) = first->next;
        first->is_woken = true;
        host().set_event(first->event);
    }
}
void WakeAllConditionVariable(PCONDITION_VARIABLE variable) {
    while (variable->Ptr != nullptr) {
        WakeConditionVariable(variable);
    }
}

BOOL InitializeSynchronizationBarrier(LPSYNCHRONIZATION_BARRIER barrier, LONG threads, LONG) {
    *barrier = {threads, threads, {}};
    return ndsim::succeeded(threads > 0 ? ERROR_SUCCESS : ERROR_INVALID_PARAMETER);
}
BOOL EnterSynchronizationBarrier(LPSYNCHRONIZATION_BARRIER barrier, DWORD) {
    host().interlocked();
    if (--barrier->Missing == 0) {
        barrier->Missing = barrier->Threads;
        WakeAllConditionVariable(&barrier->Gate);
        return TRUE;
    }
    sleep(
        barrier->Gate, INFINITE, [] {}, [] {});
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
        host().sleep(1);  // another thread is at it
    }
    if (once->Value == 0) {
        once->Value = kBegun;
        PVOID made = nullptr;
        const BOOL is_made = function(once, parameter, &made);
        once->Value = is_made != FALSE ? reinterpret_cast<ULONG_PTR>(made) | kDone : 0;
        if (is_made == FALSE) {
            return FALSE;
        }
    }
    if (context != nullptr) {
        *context = reinterpret_cast<LPVOID>(once->Value & ~kDone);
    }
    return TRUE;
}
