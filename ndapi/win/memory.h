// SPDX-License-Identifier: Apache-2.0
// Pages and aligned memory: plain host memory. For C++ and C.
#pragma once

#include <alloca.h>

#include "ndapi/win/names.h"

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

void* _aligned_malloc(size_t size, size_t alignment);
void* _aligned_realloc(void* memory, size_t size, size_t alignment);
void _aligned_free(void* memory);

HLOCAL LocalAlloc(UINT flags, SIZE_T bytes);
HLOCAL LocalFree(HLOCAL memory);  // NULL
HLOCAL GlobalAlloc(UINT flags, SIZE_T bytes);
HLOCAL GlobalFree(HLOCAL memory);  // NULL
LPVOID CoTaskMemAlloc(SIZE_T bytes);
void CoTaskMemFree(LPVOID memory);

#ifdef __cplusplus
}
#endif

#ifndef _alloca
#define _alloca alloca
#endif
