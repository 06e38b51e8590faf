// SPDX-License-Identifier: Apache-2.0
// The slots of threads. Threads are few, so each slot is a list of what threads have put there.
#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/locks.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/thread_list.hpp"

using ndsim::host;

DWORD TlsAlloc() {
    return ndsim::instance().next_slot++;
}

// The number is not used again, so what is left in it does no harm.
BOOL TlsFree(DWORD index) {
    return ndsim::succeeded(index < ndsim::instance().next_slot ? ERROR_SUCCESS : ERROR_INVALID_PARAMETER);
}

// Success clears the last error, by which a stored null differs from a failure.
LPVOID TlsGetValue(DWORD index) {
    host().set_last_error(index < ndsim::instance().next_slot ? ERROR_SUCCESS : ERROR_INVALID_PARAMETER);
    const DWORD me = host().thread_id();
    for (const ndsim::SlotValue* each = ndsim::instance().slot_values; each != nullptr; each = each->next) {
        if (each->slot == index && each->thread == me) {
            return each->value;
        }
    }
    return nullptr;
}

BOOL TlsSetValue(DWORD index, LPVOID value) {
    if (index >= ndsim::instance().next_slot) {
        return ndsim::succeeded(ERROR_INVALID_PARAMETER);
    }
    const DWORD me = host().thread_id();
    ndsim::SlotValue*& first = ndsim::instance().slot_values;
    for (ndsim::SlotValue* each = first; each != nullptr; each = each->next) {
        if (each->slot == index && each->thread == me) {
            each->value = value;
            return TRUE;
        }
    }
    first = new ndsim::SlotValue{index, me, value, first};
    return TRUE;
}
