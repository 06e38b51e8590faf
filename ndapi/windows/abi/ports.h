// SPDX-License-Identifier: Apache-2.0
// Completion ports. For C++ and C.
#pragma once

#include "ndapi/windows/abi/names.h"

typedef struct _OVERLAPPED_ENTRY {
    ULONG_PTR lpCompletionKey;
    LPOVERLAPPED lpOverlapped;
    ULONG_PTR Internal;
    DWORD dwNumberOfBytesTransferred;
} OVERLAPPED_ENTRY, *LPOVERLAPPED_ENTRY;

#ifdef __cplusplus
extern "C" {
#endif

// A new port if `port` is NULL, and `file` associated with it unless that is INVALID_HANDLE_VALUE.
HANDLE CreateIoCompletionPort(HANDLE file, HANDLE port, ULONG_PTR key, DWORD threads);
// FALSE with the overlapped set for the packet of a call that failed, FALSE with NULL if no packet came.
BOOL GetQueuedCompletionStatus(HANDLE port, LPDWORD bytes, PULONG_PTR key, LPOVERLAPPED* overlapped,
                               DWORD milliseconds);
// All packets that there are, up to `count`; waits for the first. FALSE with WAIT_TIMEOUT if none came.
BOOL GetQueuedCompletionStatusEx(HANDLE port, LPOVERLAPPED_ENTRY entries, ULONG count, PULONG removed,
                                 DWORD milliseconds, BOOL alertable);
BOOL PostQueuedCompletionStatus(HANDLE port, DWORD bytes, ULONG_PTR key, LPOVERLAPPED overlapped);

#ifdef __cplusplus
}
#endif
