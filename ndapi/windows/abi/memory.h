// SPDX-License-Identifier: Apache-2.0
// Pages and the heaps of before: plain host memory. For C++ and C.
#pragma once

#include "ndapi/windows/abi/aligned_memory.h"
#include "ndapi/windows/abi/names.h"

typedef struct _MEMORY_BASIC_INFORMATION {
    PVOID BaseAddress;
    PVOID AllocationBase;
    DWORD AllocationProtect;
    WORD PartitionId;
    SIZE_T RegionSize;
    DWORD State;
    DWORD Protect;
    DWORD Type;
} MEMORY_BASIC_INFORMATION, *PMEMORY_BASIC_INFORMATION;

typedef struct _MEMORYSTATUSEX {
    DWORD dwLength;
    DWORD dwMemoryLoad;
    DWORDLONG ullTotalPhys;
    DWORDLONG ullAvailPhys;
    DWORDLONG ullTotalPageFile;
    DWORDLONG ullAvailPageFile;
    DWORDLONG ullTotalVirtual;
    DWORDLONG ullAvailVirtual;
    DWORDLONG ullAvailExtendedVirtual;
} MEMORYSTATUSEX, *LPMEMORYSTATUSEX;

#ifdef __cplusplus
extern "C" {
#endif

// Aligned to 64 KiB and zero. Committing what is reserved changes nothing: reserved memory can be used.
LPVOID VirtualAlloc(LPVOID address, SIZE_T size, DWORD type, DWORD protection);
LPVOID VirtualAllocEx(HANDLE process, LPVOID address, SIZE_T size, DWORD type, DWORD protection);
LPVOID VirtualAllocExNuma(HANDLE process, LPVOID address, SIZE_T size, DWORD type, DWORD protection, DWORD node);
// With MEM_DECOMMIT the pages stay.
BOOL VirtualFree(LPVOID address, SIZE_T size, DWORD type);
BOOL VirtualFreeEx(HANDLE process, LPVOID address, SIZE_T size, DWORD type);
// Pages can always be read and written, and are always in memory.
BOOL VirtualProtect(LPVOID address, SIZE_T size, DWORD protection, LPDWORD old_protection);
BOOL VirtualLock(LPVOID address, SIZE_T size);
BOOL VirtualUnlock(LPVOID address, SIZE_T size);
SIZE_T GetLargePageMinimum(void);
// Of one page, whatever is there: it can be read and written.
SIZE_T VirtualQuery(LPCVOID address, PMEMORY_BASIC_INFORMATION information, SIZE_T size);
// A host has 64 GiB, of which half are free.
BOOL GlobalMemoryStatusEx(LPMEMORYSTATUSEX status);

HLOCAL LocalAlloc(UINT flags, SIZE_T bytes);
HLOCAL LocalFree(HLOCAL memory);  // NULL
HLOCAL GlobalAlloc(UINT flags, SIZE_T bytes);
HLOCAL GlobalFree(HLOCAL memory);  // NULL
LPVOID CoTaskMemAlloc(SIZE_T bytes);
void CoTaskMemFree(LPVOID memory);

#ifdef __cplusplus
}
#endif
