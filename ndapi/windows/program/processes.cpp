// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/processes.h"

#include <cstdint>
#include <cstdlib>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/program/instance.hpp"

using ndsim::host;

namespace {

constexpr DWORD kProcess = 4000;  // a number for the program; threads have others

DWORD_PTR all_processors() {
    const DWORD processors = host().processors();
    return processors >= 64 ? ~DWORD_PTR{0} : (DWORD_PTR{1} << processors) - 1;
}

void set(LPFILETIME time, std::uint64_t nanoseconds) {
    const std::uint64_t units = nanoseconds / 100;
    *time = {static_cast<DWORD>(units), static_cast<DWORD>(units >> 32)};
}

}  // namespace

HANDLE GetCurrentProcess() {
    return INVALID_HANDLE_VALUE;
}
HANDLE GetCurrentThread() {
    return reinterpret_cast<HANDLE>(~std::uintptr_t{1});
}
DWORD GetCurrentProcessId() {
    return kProcess;
}
int _getpid() {
    return static_cast<int>(kProcess);
}

BOOL GetProcessTimes(HANDLE, LPFILETIME creation, LPFILETIME end, LPFILETIME kernel, LPFILETIME user) {
    set(creation, 0);
    set(end, 0);
    set(kernel, 0);
    set(user, host().cpu_times().busy);
    return TRUE;
}
// A thread has a core of its own, and all that it does is work or a look for some.
BOOL GetThreadTimes(HANDLE, LPFILETIME creation, LPFILETIME end, LPFILETIME kernel, LPFILETIME user) {
    set(creation, 0);
    set(end, 0);
    set(kernel, 0);
    set(user, host().nanoseconds());
    return TRUE;
}

DWORD GetCurrentProcessorNumber() {
    return host().thread_id() % host().processors();
}
void GetCurrentProcessorNumberEx(PPROCESSOR_NUMBER number) {
    *number = {0, static_cast<BYTE>(GetCurrentProcessorNumber()), 0};
}
WORD GetActiveProcessorGroupCount() {
    return 1;
}
DWORD GetActiveProcessorCount(WORD) {
    return host().processors();
}
BOOL GetProcessAffinityMask(HANDLE, PDWORD_PTR process_mask, PDWORD_PTR system_mask) {
    *process_mask = all_processors();
    *system_mask = all_processors();
    return TRUE;
}
BOOL SetProcessAffinityMask(HANDLE, DWORD_PTR mask) {
    return ndsim::succeeded((mask & all_processors()) != 0 ? ERROR_SUCCESS : ERROR_INVALID_PARAMETER);
}
DWORD_PTR SetThreadAffinityMask(HANDLE thread, DWORD_PTR mask) {
    return SetProcessAffinityMask(thread, mask) != FALSE ? all_processors() : 0;
}
BOOL SetThreadGroupAffinity(HANDLE thread, const GROUP_AFFINITY* affinity, GROUP_AFFINITY* previous) {
    if (previous != nullptr) {
        *previous = {all_processors(), 0, {}};
    }
    return SetProcessAffinityMask(thread, affinity->Mask);
}
DWORD SetThreadIdealProcessor(HANDLE, DWORD) {
    return 0;
}
BOOL SetThreadPriority(HANDLE, int) {
    return TRUE;
}
int GetThreadPriority(HANDLE) {
    return THREAD_PRIORITY_NORMAL;
}
BOOL SetPriorityClass(HANDLE, DWORD) {
    return TRUE;
}
DWORD GetPriorityClass(HANDLE) {
    return NORMAL_PRIORITY_CLASS;
}
BOOL SetProcessWorkingSetSize(HANDLE, SIZE_T, SIZE_T) {
    return TRUE;
}

BOOL SetConsoleCtrlHandler(PHANDLER_ROUTINE, BOOL) {
    return TRUE;
}
BOOL IsDebuggerPresent() {
    return FALSE;
}
void OutputDebugStringA(LPCSTR) {}
void OutputDebugStringW(LPCWSTR) {}
void DebugBreak() {
    std::abort();
}
