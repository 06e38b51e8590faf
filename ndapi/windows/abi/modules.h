// SPDX-License-Identifier: Apache-2.0
// Loading a provider by its path. Every path is the one provider that a simulated host has; nothing is read from the
// machine that simulates. For C++ and C.
#pragma once

#include "ndapi/windows/abi/names.h"

#ifdef __cplusplus
extern "C" {
#endif

HMODULE LoadLibraryExW(LPCWSTR path, HANDLE file, DWORD flags);
HMODULE LoadLibraryW(LPCWSTR path);
// Knows DllGetClassObject and DllCanUnloadNow of NetworkDirect, and WSPStartupEx of Winsock Direct.
FARPROC GetProcAddress(HMODULE module, LPCSTR name);
BOOL FreeLibrary(HMODULE module);

// Replaces each %NAME% that the environment has. Returns the length with the terminator, also if that is above `size`.
DWORD ExpandEnvironmentStringsW(LPCWSTR source, LPWSTR destination, DWORD size);

// A class factory, or the provider itself; the class does not matter, since there is one.
HRESULT DllGetClassObject(REFCLSID class_id, REFIID iid, LPVOID* object);
HRESULT DllCanUnloadNow(void);

#ifdef __cplusplus
}
#endif

static inline HMODULE LoadLibraryEx(LPCWSTR path, HANDLE file, DWORD flags) {
    return LoadLibraryExW(path, file, flags);
}
static inline HMODULE LoadLibrary(LPCWSTR path) {
    return LoadLibraryW(path);
}
static inline DWORD ExpandEnvironmentStrings(LPCWSTR source, LPWSTR destination, DWORD size) {
    return ExpandEnvironmentStringsW(source, destination, size);
}
