// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/clock.h"

#include <cerrno>
#include <cstdint>
#include <ctime>

#include "ndapi/windows/abi/constants.h"
#include "ndapi/windows/program/instance.hpp"

using ndsim::host;

namespace {

constexpr std::uint64_t kNanosecondsPerMillisecond = 1'000'000;
constexpr std::uint64_t kNanosecondsPerUnit = 100;  // of a FILETIME

FILETIME file_time(std::uint64_t nanoseconds) {
    const std::uint64_t units = nanoseconds / kNanosecondsPerUnit;
    return {static_cast<DWORD>(units), static_cast<DWORD>(units >> 32)};
}

constexpr std::uint64_t kFrom1601To1970 = 11'644'473'600;  // seconds
constexpr std::uint64_t kUnitsPerSecond = 10'000'000;

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

void GetNativeSystemInfo(SYSTEM_INFO* info) {
    GetSystemInfo(info);
}

void GetSystemTimeAsFileTime(FILETIME* time) {
    constexpr std::uint64_t kStart = (kFrom1601To1970 + ndsim::kStartOfTime) * kUnitsPerSecond;
    const std::uint64_t units = kStart + host().nanoseconds() / kNanosecondsPerUnit;
    *time = {static_cast<DWORD>(units), static_cast<DWORD>(units >> 32)};
}
void GetSystemTimePreciseAsFileTime(FILETIME* time) {
    GetSystemTimeAsFileTime(time);
}
BOOL FileTimeToSystemTime(const FILETIME* time, SYSTEMTIME* parts) {
    const std::uint64_t units = (std::uint64_t{time->dwHighDateTime} << 32) | time->dwLowDateTime;
    const auto seconds = static_cast<std::time_t>(units / kUnitsPerSecond) - static_cast<std::time_t>(kFrom1601To1970);
    std::tm day{};
    ::gmtime_r(&seconds, &day);
    *parts = {static_cast<WORD>(day.tm_year + 1900), static_cast<WORD>(day.tm_mon + 1),
              static_cast<WORD>(day.tm_wday),        static_cast<WORD>(day.tm_mday),
              static_cast<WORD>(day.tm_hour),        static_cast<WORD>(day.tm_min),
              static_cast<WORD>(day.tm_sec),         static_cast<WORD>(units % kUnitsPerSecond / 10'000)};
    return TRUE;
}
void GetSystemTime(SYSTEMTIME* parts) {
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    FileTimeToSystemTime(&now, parts);
}
void GetLocalTime(SYSTEMTIME* parts) {
    GetSystemTime(parts);
}
BOOL QueryThreadCycleTime(HANDLE, ULONG64* cycles) {
    *cycles = host().nanoseconds();
    return TRUE;
}
void QueryInterruptTime(ULONGLONG* time) {
    *time = host().nanoseconds() / kNanosecondsPerUnit;
}

int localtime_s(std::tm* parts, const std::time_t* seconds) {
    return gmtime_s(parts, seconds);
}
int gmtime_s(std::tm* parts, const std::time_t* seconds) {
    return ::gmtime_r(seconds, parts) == nullptr ? EINVAL : 0;
}
int ctime_s(char* text, size_t size, const std::time_t* seconds) {
    constexpr std::size_t kLength = 26;
    std::tm day{};
    if (size < kLength) {
        return ERANGE;
    }
    return gmtime_s(&day, seconds) != 0 || ::asctime_r(&day, text) == nullptr ? EINVAL : 0;
}
