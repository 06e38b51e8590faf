// SPDX-License-Identifier: Apache-2.0
// Which Windows this is: one that is new enough for whatever is asked, and a server.
#pragma once

#include "ndapi/windows/include/windows.h"

static inline BOOL IsWindows7OrGreater(void) {
    return TRUE;
}
static inline BOOL IsWindows7SP1OrGreater(void) {
    return TRUE;
}
static inline BOOL IsWindows8OrGreater(void) {
    return TRUE;
}
static inline BOOL IsWindows8Point1OrGreater(void) {
    return TRUE;
}
static inline BOOL IsWindows10OrGreater(void) {
    return TRUE;
}
static inline BOOL IsWindowsServer(void) {
    return TRUE;
}
