// SPDX-License-Identifier: Apache-2.0
// The library's functions that a test calls one by one. It cannot link them: they have names of the C library.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <cwchar>

#include "ndapi/ndspi/ndsupport.h"
#include "ndapi/windows/abi/clock.h"
#include "ndapi/windows/abi/critical_section.h"
#include "ndapi/windows/abi/heap.h"
#include "ndapi/windows/abi/modules.h"
#include "ndapi/windows/abi/ports.h"
#include "ndapi/windows/abi/printing.h"
#include "ndapi/windows/abi/sockets.h"
#include "ndapi/windows/abi/text.h"
#include "ndapi/windows/abi/threads.h"
#include "ndapi/wsd/ws2san_functions.h"

struct Functions {
    int (*snprintf_)(char*, std::size_t, const char*, ...);
    int (*swprintf_)(wchar_t*, std::size_t, const wchar_t*, ...);
    decltype(&::_snprintf) snprintf_old;
    decltype(&::_snwprintf) snwprintf_old;
    int (*sprintf_safe)(char*, std::size_t, const char*, ...);
    int (*snprintf_safe)(char*, std::size_t, std::size_t, const char*, ...);
    int (*swprintf_safe)(wchar_t*, std::size_t, const wchar_t*, ...);

    decltype(&::_wcsicmp) wcsicmp;
    decltype(&::_strnicmp) strnicmp;
    decltype(&::_wtoi) wtoi;
    decltype(&::_wtol) wtol;
    decltype(&::_wtoi64) wtoi64;
    errno_t (*strcpy_safe)(char*, std::size_t, const char*);
    errno_t (*strncpy_safe)(char*, std::size_t, const char*, std::size_t);
    errno_t (*wcscpy_safe)(wchar_t*, std::size_t, const wchar_t*);
    errno_t (*wcscat_safe)(wchar_t*, std::size_t, const wchar_t*);
    decltype(&::memcpy_s) memcpy_safe;

    decltype(&::WSAStartup) startup;
    decltype(&::WSAStringToAddressW) string_to_address;
    decltype(&::WSAGetLastError) socket_error;
    decltype(&::WSASocketW) socket;
    decltype(&::closesocket) close_socket;
    decltype(&::WSAIoctl) ioctl;
    decltype(&::WSCEnumProtocols) enum_protocols;
    decltype(&::WSCGetProviderPath) provider_path;

    decltype(&::LoadLibraryExW) load_library;
    decltype(&::GetProcAddress) proc_address;
    decltype(&::FreeLibrary) free_library;
    decltype(&::ExpandEnvironmentStringsW) expand;
    decltype(&::NdStartup) nd_startup;
    decltype(&::NdQueryAddressList) query_addresses;
    decltype(&::NdResolveAddress) resolve_address;
    decltype(&::NdCheckAddress) check_address;
    decltype(&::NdOpenAdapter) open_adapter;
    decltype(&::NdOpenV1Adapter) open_v1_adapter;
    decltype(&::WSPStartupEx) wsp_startup;

    decltype(&::Sleep) sleep;
    decltype(&::QueryPerformanceCounter) performance_counter;
    decltype(&::QueryPerformanceFrequency) performance_frequency;
    decltype(&::GetTickCount64) tick_count;
    decltype(&::GetSystemTimes) system_times;
    decltype(&::GetSystemInfo) system_info;

    decltype(&::CreateEventW) create_event;
    decltype(&::SetEvent) set_event;
    decltype(&::ResetEvent) reset_event;
    decltype(&::CloseHandle) close_handle;
    decltype(&::WaitForSingleObject) wait;
    decltype(&::WaitForMultipleObjects) wait_for_many;
    decltype(&::CreateThread) create_thread;
    decltype(&::ExitThread) exit_thread;
    decltype(&::GetExitCodeThread) exit_code;
    decltype(&::GetLastError) last_error;
    decltype(&::CreateIoCompletionPort) create_port;
    decltype(&::GetQueuedCompletionStatus) dequeue;
    decltype(&::PostQueuedCompletionStatus) post;

    decltype(&::GetProcessHeap) process_heap;
    decltype(&::HeapCreate) heap_create;
    decltype(&::HeapDestroy) heap_destroy;
    decltype(&::HeapAlloc) heap_alloc;
    decltype(&::HeapFree) heap_free;

    decltype(&::InitializeCriticalSection) initialize_section;
    decltype(&::EnterCriticalSection) enter_section;
    decltype(&::LeaveCriticalSection) leave_section;
    decltype(&::DeleteCriticalSection) delete_section;
};
