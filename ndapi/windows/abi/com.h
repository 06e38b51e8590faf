// SPDX-License-Identifier: Apache-2.0
// COM, as far as programs begin and end it: interfaces are called directly, so it has nothing to do. For C++ and C.
#pragma once

#include "ndapi/windows/abi/names.h"

typedef enum tagCOINIT {
    COINIT_MULTITHREADED = 0x0,
    COINIT_APARTMENTTHREADED = 0x2,
    COINIT_DISABLE_OLE1DDE = 0x4,
    COINIT_SPEED_OVER_MEMORY = 0x8,
} COINIT;

static inline HRESULT CoInitializeEx(LPVOID reserved, DWORD how) {
    (void)reserved;
    (void)how;
    return 0;  // S_OK
}
static inline HRESULT CoInitialize(LPVOID reserved) {
    return CoInitializeEx(reserved, COINIT_APARTMENTTHREADED);
}
static inline void CoUninitialize(void) {}
