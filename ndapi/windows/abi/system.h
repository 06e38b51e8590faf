// SPDX-License-Identifier: Apache-2.0
// What a program asks about its surroundings: its name and arguments, the environment, its outputs, the host. For C++
// and C.
#pragma once

#include "ndapi/windows/abi/names.h"

typedef struct _LUID {
    DWORD LowPart;
    LONG HighPart;
} LUID, *PLUID;
typedef struct _LUID_AND_ATTRIBUTES {
    LUID Luid;
    DWORD Attributes;
} LUID_AND_ATTRIBUTES, *PLUID_AND_ATTRIBUTES;
typedef struct _TOKEN_PRIVILEGES {
    DWORD PrivilegeCount;
    LUID_AND_ATTRIBUTES Privileges[1];
} TOKEN_PRIVILEGES, *PTOKEN_PRIVILEGES;

struct _EXCEPTION_POINTERS;
typedef LONG (*LPTOP_LEVEL_EXCEPTION_FILTER)(struct _EXCEPTION_POINTERS* exception);

#ifdef __cplusplus
extern "C" {
#endif

// Its first argument; there are no other modules. What does not fit is cut off: ERROR_INSUFFICIENT_BUFFER.
DWORD GetModuleFileNameW(HMODULE module, LPWSTR name, DWORD size);
DWORD GetModuleFileNameA(HMODULE module, LPSTR name, DWORD size);
// All arguments; those with spaces are quoted.
LPWSTR GetCommandLineW(void);
LPSTR GetCommandLineA(void);
// The length; with the terminator if it does not fit; 0 with ERROR_ENVVAR_NOT_FOUND.
DWORD GetEnvironmentVariableW(LPCWSTR name, LPWSTR value, DWORD size);
DWORD GetEnvironmentVariableA(LPCSTR name, LPSTR value, DWORD size);
// HOST, whatever host it is; as gethostname has it.
BOOL GetComputerNameW(LPWSTR name, LPDWORD size);
BOOL GetComputerNameA(LPSTR name, LPDWORD size);

// Outputs can be written to (WriteFile in files.h), and are no console; there is nothing to be read.
HANDLE GetStdHandle(DWORD number);
BOOL WriteConsoleW(HANDLE console, const VOID* text, DWORD count, LPDWORD written, LPVOID reserved);
BOOL WriteConsoleA(HANDLE console, const VOID* text, DWORD count, LPDWORD written, LPVOID reserved);
BOOL GetConsoleMode(HANDLE console, LPDWORD mode);
BOOL SetConsoleMode(HANDLE console, DWORD mode);

// Never called: what fails in a program fails in the process that simulates it.
LPTOP_LEVEL_EXCEPTION_FILTER SetUnhandledExceptionFilter(LPTOP_LEVEL_EXCEPTION_FILTER filter);

// A program has all privileges.
BOOL OpenProcessToken(HANDLE process, DWORD access, PHANDLE token);
BOOL LookupPrivilegeValueW(LPCWSTR system, LPCWSTR name, PLUID id);
BOOL AdjustTokenPrivileges(HANDLE token, BOOL disable_all, PTOKEN_PRIVILEGES privileges, DWORD size,
                           PTOKEN_PRIVILEGES previous, PDWORD previous_size);

ULONG RtlNtStatusToDosError(NTSTATUS status);

#ifdef __cplusplus
}
#endif

static inline DWORD GetModuleFileName(HMODULE module, LPWSTR name, DWORD size) {
    return GetModuleFileNameW(module, name, size);
}
static inline LPWSTR GetCommandLine(void) {
    return GetCommandLineW();
}
static inline DWORD GetEnvironmentVariable(LPCWSTR name, LPWSTR value, DWORD size) {
    return GetEnvironmentVariableW(name, value, size);
}
static inline BOOL GetComputerName(LPWSTR name, LPDWORD size) {
    return GetComputerNameW(name, size);
}
static inline BOOL WriteConsole(HANDLE console, const VOID* text, DWORD count, LPDWORD written, LPVOID reserved) {
    return WriteConsoleW(console, text, count, written, reserved);
}
static inline BOOL LookupPrivilegeValue(LPCWSTR system, LPCWSTR name, PLUID id) {
    return LookupPrivilegeValueW(system, name, id);
}
