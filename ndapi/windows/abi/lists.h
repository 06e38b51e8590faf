// SPDX-License-Identifier: Apache-2.0
// Singly linked lists that threads share. Threads of a program change only where they call something, so a list needs
// no lock. For C++ and C.
#pragma once

#include <stddef.h>

#include "ndapi/windows/abi/threads.h"

#define MEMORY_ALLOCATION_ALIGNMENT 16

typedef struct _SLIST_ENTRY {
    struct _SLIST_ENTRY* Next;
} __attribute__((aligned(16))) SLIST_ENTRY, *PSLIST_ENTRY;

typedef struct _SLIST_HEADER {
    PSLIST_ENTRY First;
    USHORT Depth;
} __attribute__((aligned(16))) SLIST_HEADER, *PSLIST_HEADER;

static inline void InitializeSListHead(PSLIST_HEADER list) {
    list->First = NULL;
    list->Depth = 0;
}
static inline USHORT QueryDepthSList(PSLIST_HEADER list) {
    ndsim_interlocked();
    return list->Depth;
}
// These return what was the first before.
static inline PSLIST_ENTRY InterlockedPushEntrySList(PSLIST_HEADER list, PSLIST_ENTRY entry) {
    ndsim_interlocked();
    entry->Next = list->First;
    list->First = entry;
    ++list->Depth;
    return entry->Next;
}
static inline PSLIST_ENTRY InterlockedPopEntrySList(PSLIST_HEADER list) {
    ndsim_interlocked();
    PSLIST_ENTRY const first = list->First;
    if (first != NULL) {
        list->First = first->Next;
        --list->Depth;
    }
    return first;
}
static inline PSLIST_ENTRY InterlockedFlushSList(PSLIST_HEADER list) {
    ndsim_interlocked();
    PSLIST_ENTRY const first = list->First;
    InitializeSListHead(list);
    return first;
}
