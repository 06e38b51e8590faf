// SPDX-License-Identifier: Apache-2.0
// A program that hands out the functions that are linked into it.
#include "tests/ndapi/windows/program/clients/functions.hpp"

static const Functions table{
    snprintf,
    swprintf,
    _snprintf,
    _snwprintf,
    sprintf_s,
    _snprintf_s,
    swprintf_s,

    _wcsicmp,
    _strnicmp,
    _wtoi,
    _wtol,
    _wtoi64,
    strcpy_s,
    strncpy_s,
    wcscpy_s,
    wcscat_s,
    memcpy_s,

    WSAStartup,
    WSAStringToAddressW,
    WSAGetLastError,
    WSASocketW,
    closesocket,
    WSAIoctl,
    WSCEnumProtocols,
    WSCGetProviderPath,

    LoadLibraryExW,
    GetProcAddress,
    FreeLibrary,
    ExpandEnvironmentStringsW,
    NdStartup,
    NdQueryAddressList,
    NdResolveAddress,
    NdCheckAddress,
    NdOpenAdapter,
    NdOpenV1Adapter,
    WSPStartupEx,

    Sleep,
    QueryPerformanceCounter,
    QueryPerformanceFrequency,
    GetTickCount64,
    GetSystemTimes,
    GetSystemInfo,

    CreateEventW,
    SetEvent,
    ResetEvent,
    CloseHandle,
    WaitForSingleObject,
    WaitForMultipleObjects,
    CreateThread,
    ExitThread,
    GetExitCodeThread,
    GetLastError,
    CreateIoCompletionPort,
    GetQueuedCompletionStatus,
    PostQueuedCompletionStatus,

    GetProcessHeap,
    HeapCreate,
    HeapDestroy,
    HeapAlloc,
    HeapFree,

    InitializeCriticalSection,
    EnterCriticalSection,
    LeaveCriticalSection,
    DeleteCriticalSection,
};

extern "C" const Functions* functions() {
    return &table;
}

int main() {
    return 0;
}
