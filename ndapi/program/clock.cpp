// SPDX-License-Identifier: Apache-2.0
#include "ndapi/win/clock.h"

#include <cstdint>

#include "ndapi/program/instance.hpp"
#include "ndapi/win/constants.h"

using ndsim::host;

namespace {

constexpr std::uint64_t kNanosecondsPerMillisecond = 1'000'000;
constexpr std::uint64_t kNanosecondsPerUnit = 100;  // of a FILETIME

FILETIME file_time(std::uint64_t nanoseconds) {
    const std::uint64_t units = nanoseconds / kNanosecondsPerUnit;
    return {static_cast<DWORD>(units), static_cast<DWORD>(units >> 32)};
}

void set(FILETIME* time, std::uint64_t nanoseconds) {
    if (time != nullptr) {
        *time = file_time(nanoseconds);
    }
}

}  // namespace

void Sleep(DWORD milliseconds) {
    host().sleep(milliseconds);
}

BOOL QueryPerformanceCounter(LARGE_INTEGER* count) {
    count->QuadPart = static_cast<LONGLONG>(host().nanoseconds());
    return TRUE;
}

BOOL QueryPerformanceFrequency(LARGE_INTEGER* frequency) {
    frequency->QuadPart = 1'000'000'000;
    return TRUE;
}

DWORD GetTickCount() {
    return static_cast<DWORD>(GetTickCount64());
}

ULONGLONG GetTickCount64() {
    return host().nanoseconds() / kNanosecondsPerMillisecond;
}

// All that is not idle counts as the programs' own.
BOOL GetSystemTimes(FILETIME* idle, FILETIME* kernel, FILETIME* user) {
    const ndsim::ProgramHost::CpuTimes times = host().cpu_times();
    set(idle, times.idle);
    set(kernel, times.idle);
    set(user, times.busy);
    return TRUE;
}

void GetSystemInfo(SYSTEM_INFO* info) {
    const DWORD processors = host().processors();
    *info = {};
    info->wProcessorArchitecture = PROCESSOR_ARCHITECTURE_AMD64;
    info->dwPageSize = 4096;
    info->lpMinimumApplicationAddress = reinterpret_cast<LPVOID>(0x10000UL);
    info->lpMaximumApplicationAddress = reinterpret_cast<LPVOID>(0x7FFFFFFEFFFFUL);
    info->dwNumberOfProcessors = processors;
    info->dwActiveProcessorMask = processors >= 64 ? ~DWORD_PTR{0} : (DWORD_PTR{1} << processors) - 1;
    info->dwAllocationGranularity = 65536;
}
