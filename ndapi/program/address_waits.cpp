// SPDX-License-Identifier: Apache-2.0
// Waits for a value in memory. Nothing else of the host runs between two calls of its ProgramHost, so the list of those
// that wait needs no protection.
#include <cstring>

#include "ndapi/program/instance.hpp"
#include "ndapi/win/constants.h"
#include "ndapi/win/synchronization.h"

namespace ndsim {

struct AddressWaiter {
    AddressWaiter* next;
    const volatile void* address;
    HANDLE event;
    bool is_woken;
};

}  // namespace ndsim

using ndsim::AddressWaiter;
using ndsim::host;

namespace {

AddressWaiter** end_of_list() {
    AddressWaiter** at = &ndsim::instance().address_waiters;
    while (*at != nullptr) {
        at = &(*at)->next;
    }
    return at;
}

void remove(const AddressWaiter& waiter) {
    AddressWaiter** at = &ndsim::instance().address_waiters;
    while (*at != &waiter) {
        at = &(*at)->next;
    }
    *at = waiter.next;
}

// Whoever has waited longest, if anybody is left.
bool wake_one(const void* address) {
    AddressWaiter* each = ndsim::instance().address_waiters;
    while (each != nullptr && (each->address != address || each->is_woken)) {
        each = each->next;
    }
    if (each == nullptr) {
        return false;
    }
    each->is_woken = true;
    host().set_event(each->event);
    return true;
}

}  // namespace

BOOL WaitOnAddress(volatile VOID* address, PVOID compare, SIZE_T size, DWORD milliseconds) {
    host().interlocked();
    if (std::memcmp(const_cast<const VOID*>(address), compare, size) != 0) {
        return TRUE;
    }
    AddressWaiter waiter{nullptr, address, host().create_event(false, false), false};
    *end_of_list() = &waiter;
    (void)host().wait(&waiter.event, 1, false, milliseconds);
    remove(waiter);
    host().close_handle(waiter.event);
    return ndsim::succeeded(waiter.is_woken ? ERROR_SUCCESS : ERROR_TIMEOUT);
}
void WakeByAddressSingle(PVOID address) {
    wake_one(address);
}
void WakeByAddressAll(PVOID address) {
    while (wake_one(address)) {
    }
}
