// SPDX-License-Identifier: Apache-2.0
// The multimedia timer: time is as fine as it is anyway.
#pragma once

#include "ndapi/windows/include/windows.h"

typedef UINT MMRESULT;

static inline MMRESULT timeBeginPeriod(UINT period) {
    (void)period;
    return 0;
}
static inline MMRESULT timeEndPeriod(UINT period) {
    (void)period;
    return 0;
}
static inline DWORD timeGetTime(void) {
    return GetTickCount();
}
