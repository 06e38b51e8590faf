// SPDX-License-Identifier: Apache-2.0
// Nothing else of the host runs between two calls of its ProgramHost, so the members need no further protection.
#include "ndapi/windows/abi/critical_section.h"

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/program/instance.hpp"

using ndsim::host;
using ndsim::ProgramHost;

void InitializeCriticalSection(LPCRITICAL_SECTION section) {
    *section = {};
}

void EnterCriticalSection(LPCRITICAL_SECTION section) {
    const ULONG_PTR me = host().thread_id();
    host().interlocked();
    if (section->RecursionCount > 0 && section->OwningThread == me) {
        ++section->RecursionCount;
        return;
    }
    while (section->RecursionCount > 0) {
        if (section->LockSemaphore == nullptr) {
            section->LockSemaphore = host().create_event(false, false);
        }
        ++section->LockCount;
        const DWORD ended = host().wait(&section->LockSemaphore, 1, false, INFINITE);
        --section->LockCount;
        if (ended != WAIT_OBJECT_0) {
            host().sleep(1);  // there was no event to be had, so look again
        }
    }
    section->OwningThread = me;
    section->RecursionCount = 1;
}

BOOL InitializeCriticalSectionAndSpinCount(LPCRITICAL_SECTION section, DWORD) {
    InitializeCriticalSection(section);
    return TRUE;
}
BOOL InitializeCriticalSectionEx(LPCRITICAL_SECTION section, DWORD, DWORD) {
    InitializeCriticalSection(section);
    return TRUE;
}
DWORD SetCriticalSectionSpinCount(LPCRITICAL_SECTION, DWORD) {
    return 0;
}

BOOL TryEnterCriticalSection(LPCRITICAL_SECTION section) {
    const ULONG_PTR me = host().thread_id();
    host().interlocked();
    if (section->RecursionCount > 0 && section->OwningThread != me) {
        return FALSE;
    }
    section->OwningThread = me;
    ++section->RecursionCount;
    return TRUE;
}

void LeaveCriticalSection(LPCRITICAL_SECTION section) {
    if (section->RecursionCount > 1) {
        --section->RecursionCount;
        return;
    }
    host().interlocked(ProgramHost::Interlocked::give);
    section->RecursionCount = 0;
    section->OwningThread = 0;
    if (section->LockCount > 0) {
        host().set_event(section->LockSemaphore);
    }
}

void DeleteCriticalSection(LPCRITICAL_SECTION section) {
    if (section->LockSemaphore != nullptr) {
        host().close_handle(section->LockSemaphore);
    }
    *section = {};
}
