// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/abi/synchronization.h"
#include "ndapi/windows/program/instance.hpp"
#include "ndapi/windows/program/thread_waits.hpp"

BOOL WaitOnAddress(volatile VOID* address, PVOID compare, SIZE_T size, DWORD milliseconds) {
    const ndsim::WaitEnd end = ndsim::wait_end(milliseconds);  // looks at the clock, and lets others go on meanwhile
    ndsim::host().interlocked();
    if (std::memcmp(const_cast<const VOID*>(address), compare, size) != 0) {
        return TRUE;
    }
    return ndsim::succeeded(ndsim::wait_at(address, end) ? ERROR_SUCCESS : ERROR_TIMEOUT);
}
void WakeByAddressSingle(PVOID address) {
    ndsim::wake_at(address, 1);
}
void WakeByAddressAll(PVOID address) {
    ndsim::wake_all_at(address);
}
