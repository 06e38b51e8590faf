// SPDX-License-Identifier: Apache-2.0
// A request that completes later. The client queues it, keeps it where it is until it has completed, and often derives
// from it to keep something of its own beside it (win.md 1). For C++ and C.
#pragma once

#include "ndapi/windows/abi/types.h"

typedef struct _OVERLAPPED {
    ULONG_PTR Internal;      // the status, once there is one
    ULONG_PTR InternalHigh;  // how many bytes were transferred
    __extension__ union {
        __extension__ struct {
            DWORD Offset;
            DWORD OffsetHigh;
        };
        PVOID Pointer;
    };
    HANDLE hEvent;  // set at completion; its low bit keeps the completion port out of it (B14)
} OVERLAPPED, *LPOVERLAPPED;

#ifdef __cplusplus
const HANDLE INVALID_HANDLE_VALUE = reinterpret_cast<HANDLE>(0xFFFFFFFFFFFFFFFF);
#endif
