// SPDX-License-Identifier: Apache-2.0
// Heaps: plain host memory, and what a program does to bytes of it. For C++ and C.
#pragma once

#include <string.h>

#include "ndapi/windows/abi/names.h"

// What HeapWalk tells of an allocation.
typedef struct _PROCESS_HEAP_ENTRY {
    PVOID lpData;
    DWORD cbData;
    BYTE cbOverhead;
    BYTE iRegionIndex;
    WORD wFlags;
    __extension__ union {
        struct {
            HANDLE hMem;
            DWORD dwReserved[3];
        } Block;
        struct {
            DWORD dwCommittedSize;
            DWORD dwUnCommittedSize;
            LPVOID lpFirstBlock;
            LPVOID lpLastBlock;
        } Region;
    };
} PROCESS_HEAP_ENTRY, *PPROCESS_HEAP_ENTRY, *LPPROCESS_HEAP_ENTRY;

#ifdef __cplusplus
extern "C" {
#endif

HANDLE GetProcessHeap(void);
// Sizes are no limits here: every heap grows.
HANDLE HeapCreate(DWORD options, SIZE_T initial_size, SIZE_T maximum_size);
// Frees all that was allocated from it. The process's own heap stays.
BOOL HeapDestroy(HANDLE heap);
// Aligned to 16 bytes; NULL if there is no memory left.
LPVOID HeapAlloc(HANDLE heap, DWORD flags, SIZE_T bytes);
// At another place; what is new is zero with HEAP_ZERO_MEMORY.
LPVOID HeapReAlloc(HANDLE heap, DWORD flags, LPVOID memory, SIZE_T bytes);
SIZE_T HeapSize(HANDLE heap, DWORD flags, LPCVOID memory);
BOOL HeapFree(HANDLE heap, DWORD flags, LPVOID memory);

// From a lock to its unlock other threads wait if they allocate or free; the same thread may lock again.
BOOL HeapLock(HANDLE heap);
BOOL HeapUnlock(HANDLE heap);
// The allocations one by one, the oldest first, each with PROCESS_HEAP_ENTRY_BUSY: from an entry with lpData NULL to
// ERROR_NO_MORE_ITEMS. Nothing may be freed meanwhile.
BOOL HeapWalk(HANDLE heap, LPPROCESS_HEAP_ENTRY entry);

#ifdef __cplusplus
}
#endif

static inline void RtlZeroMemory(void* destination, SIZE_T length) {
    memset(destination, 0, length);
}
static inline void ZeroMemory(void* destination, SIZE_T length) {
    memset(destination, 0, length);
}
static inline void SecureZeroMemory(void* destination, SIZE_T length) {
    memset(destination, 0, length);
}
static inline void FillMemory(void* destination, SIZE_T length, BYTE fill) {
    memset(destination, fill, length);
}
static inline void RtlCopyMemory(void* destination, const void* source, SIZE_T length) {
    memcpy(destination, source, length);
}
static inline void CopyMemory(void* destination, const void* source, SIZE_T length) {
    memcpy(destination, source, length);
}
static inline BOOL RtlEqualMemory(const void* one, const void* other, SIZE_T length) {
    return memcmp(one, other, length) == 0;
}
static inline void MoveMemory(void* destination, const void* source, SIZE_T length) {
    memmove(destination, source, length);
}
