// SPDX-License-Identifier: Apache-2.0
// A program that calls functions and returns the line of the first one whose outcome is not Windows'; 0 if all are.
#include <windows.h>
#include <winsock2.h>
#include <ws2tcpip.h>
//
#include <intrin.h>
#include <strsafe.h>
#include <tchar.h>

#include <chrono>
#include <cstring>
#include <ctime>
#include <iostream>
#include <thread>

#include "tests/ndapi/windows/program/clients/expect.hpp"

namespace {

constexpr int kFine = 0;

BOOL CALLBACK make(PINIT_ONCE, PVOID parameter, PVOID* context) {
    ++*static_cast<int*>(parameter);
    *context = parameter;
    return TRUE;
}

DWORD WINAPI increment(LPVOID parameter) {
    ++*static_cast<int*>(parameter);
    return 5;
}

int memory() {
    auto* pages = static_cast<char*>(VirtualAlloc(nullptr, 100, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
    EXPECT(pages != nullptr && (reinterpret_cast<ULONG_PTR>(pages) & 0xFFFF) == 0 && pages[99] == 0);
    EXPECT(!VirtualFree(pages, 100, MEM_RELEASE) && GetLastError() == ERROR_INVALID_PARAMETER);
    EXPECT(VirtualFree(pages, 0, MEM_RELEASE));
    EXPECT(VirtualAlloc(nullptr, 0, MEM_COMMIT, PAGE_READWRITE) == nullptr);
    auto* aligned = static_cast<char*>(_aligned_malloc(100, 512));
    EXPECT((reinterpret_cast<ULONG_PTR>(aligned) & 511) == 0);
    std::strcpy(aligned, "kept");
    aligned = static_cast<char*>(_aligned_realloc(aligned, 5000, 4096));
    EXPECT((reinterpret_cast<ULONG_PTR>(aligned) & 4095) == 0 && std::strcmp(aligned, "kept") == 0);
    _aligned_free(aligned);
    auto* block = static_cast<char*>(HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, 10));
    EXPECT(HeapSize(GetProcessHeap(), 0, block) == 10);
    block = static_cast<char*>(HeapReAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, block, 1000));
    EXPECT(block[9] == 0 && block[999] == 0 && HeapFree(GetProcessHeap(), 0, block));
    return kFine;
}

int locks() {
    SRWLOCK lock = SRWLOCK_INIT;
    AcquireSRWLockShared(&lock);
    EXPECT(!TryAcquireSRWLockExclusive(&lock) && TryAcquireSRWLockShared(&lock));
    ReleaseSRWLockShared(&lock);
    ReleaseSRWLockShared(&lock);
    EXPECT(TryAcquireSRWLockExclusive(&lock) && !TryAcquireSRWLockShared(&lock));
    CONDITION_VARIABLE variable = CONDITION_VARIABLE_INIT;
    WakeAllConditionVariable(&variable);  // nobody sleeps, and nothing is remembered
    EXPECT(!SleepConditionVariableSRW(&variable, &lock, 1, 0) && GetLastError() == ERROR_TIMEOUT);
    EXPECT(!TryAcquireSRWLockShared(&lock));  // it is held again
    ReleaseSRWLockExclusive(&lock);
    CRITICAL_SECTION section;
    EXPECT(InitializeCriticalSectionAndSpinCount(&section, 4000) && TryEnterCriticalSection(&section));
    EXPECT(TryEnterCriticalSection(&section));
    LeaveCriticalSection(&section);
    LeaveCriticalSection(&section);
    DeleteCriticalSection(&section);
    INIT_ONCE once = INIT_ONCE_STATIC_INIT;
    alignas(8) int made = 0;
    LPVOID context = nullptr;
    EXPECT(InitOnceExecuteOnce(&once, make, &made, &context) && InitOnceExecuteOnce(&once, make, &made, &context));
    EXPECT(made == 1 && context == &made);
    const DWORD slot = TlsAlloc();
    EXPECT(TlsGetValue(slot) == nullptr && TlsSetValue(slot, &made) && TlsGetValue(slot) == &made && TlsFree(slot));
    return kFine;
}

int threads() {
    int count = 0;
    DWORD id = 0;
    HANDLE thread = CreateThread(nullptr, 0, increment, &count, CREATE_SUSPENDED, &id);
    EXPECT(thread != nullptr && GetThreadId(thread) == id);
    EXPECT(ResumeThread(thread) == 1 && ResumeThread(thread) == 0);
    EXPECT(WaitForSingleObjectEx(thread, INFINITE, TRUE) == WAIT_OBJECT_0 && count == 1);
    EXPECT(ResumeThread(nullptr) == static_cast<DWORD>(-1) && GetLastError() == ERROR_INVALID_HANDLE);
    HANDLE port = CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 0);
    OVERLAPPED_ENTRY entries[3];
    ULONG removed = 9;
    EXPECT(!GetQueuedCompletionStatusEx(port, entries, 3, &removed, 0, FALSE) && GetLastError() == WAIT_TIMEOUT);
    EXPECT(removed == 0);
    for (ULONG_PTR key = 1; key <= 4; ++key) {
        EXPECT(PostQueuedCompletionStatus(port, 7, key, nullptr));
    }
    EXPECT(GetQueuedCompletionStatusEx(port, entries, 3, &removed, INFINITE, FALSE) && removed == 3);
    EXPECT(entries[2].lpCompletionKey == 3 && entries[2].dwNumberOfBytesTransferred == 7);
    EXPECT(GetQueuedCompletionStatusEx(port, entries, 3, &removed, INFINITE, FALSE) && removed == 1);
    DWORD_PTR own = 0;
    DWORD_PTR all = 0;
    EXPECT(GetProcessAffinityMask(GetCurrentProcess(), &own, &all) && own == 0xF);  // of 4 processors
    EXPECT(SetThreadAffinityMask(GetCurrentThread(), 1) == 0xF && SetThreadAffinityMask(GetCurrentThread(), 0) == 0);
    FILETIME unused;
    FILETIME user;
    EXPECT(GetProcessTimes(GetCurrentProcess(), &unused, &unused, &unused, &user));
    EXPECT(user.dwLowDateTime == 30'000);  // 3 ms in units of 100 ns
    LONG value = 6;
    EXPECT(InterlockedAdd(&value, 3) == 9 && InterlockedXor(&value, 1) == 9 && _InterlockedOr(&value, 1) == 8);
    EXPECT(InterlockedBitTestAndSet(&value, 3) == 1 && InterlockedBitTestAndReset(&value, 3) == 1 && value == 1);
    return kFine;
}

int addresses() {
    IN_ADDR in;
    IN6_ADDR in6;
    char text[INET6_ADDRSTRLEN];
    WCHAR wide[64];
    EXPECT(inet_pton(AF_INET, "10.1.2.3", &in) == 1 && in.S_un.S_un_b.s_b4 == 3);
    EXPECT(inet_pton(AF_INET, "10.1.2.3:4", &in) == 0 && InetPtonW(AF_INET, L"10.1.2", &in) == 0);
    EXPECT(inet_ntop(AF_INET, &in, text, 8) == nullptr && std::strcmp(inet_ntop(AF_INET, &in, text, 16), text) == 0);
    EXPECT(std::strcmp(text, "10.1.2.3") == 0 && inet_addr("none") == INADDR_NONE);
    EXPECT(inet_pton(AF_INET6, "fe80:0:0:1::5", &in6) == 1);
    EXPECT(std::strcmp(inet_ntop(AF_INET6, &in6, text, sizeof(text)), "fe80:0:0:1::5") == 0);
    ADDRINFOA hints{};
    hints.ai_family = AF_INET;
    PADDRINFOA found = nullptr;
    EXPECT(getaddrinfo("no-such-name", "5000", &hints, &found) == WSAHOST_NOT_FOUND && found == nullptr);
    EXPECT(getaddrinfo("10.0.0.2", "5000", &hints, &found) == 0 && found->ai_addrlen == sizeof(sockaddr_in));
    DWORD length = 3;
    EXPECT(WSAAddressToString(found->ai_addr, sizeof(sockaddr_in), nullptr, wide, &length) == SOCKET_ERROR);
    EXPECT(WSAGetLastError() == WSAEFAULT && length == 14);  // with the terminator
    EXPECT(WSAAddressToString(found->ai_addr, sizeof(sockaddr_in), nullptr, wide, &length) == 0);
    EXPECT(wcscmp(wide, L"10.0.0.2:5000") == 0);
    freeaddrinfo(found);
    return kFine;
}

int texts() {
    WCHAR wide[16];
    char narrow[16];
    EXPECT(MultiByteToWideChar(CP_UTF8, 0, "h\xC3\xA9", -1, nullptr, 0) == 3);
    EXPECT(MultiByteToWideChar(CP_UTF8, 0, "h\xC3\xA9", -1, wide, 16) == 3 && wide[1] == 0xE9);
    EXPECT(WideCharToMultiByte(CP_UTF8, 0, wide, -1, narrow, 3, nullptr, nullptr) == 0);
    EXPECT(WideCharToMultiByte(CP_UTF8, 0, wide, -1, narrow, 16, nullptr, nullptr) == 4);
    LPWSTR message = nullptr;
    const DWORD flags = FORMAT_MESSAGE_ALLOCATE_BUFFER | FORMAT_MESSAGE_FROM_SYSTEM;
    const DWORD length = FormatMessageW(flags, nullptr, 5, 0, reinterpret_cast<LPWSTR>(&message), 0, nullptr);
    EXPECT(length > 0 && wcslen(message) == length && LocalFree(message) == nullptr);
    EXPECT(FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM, nullptr, 5, 0, wide, 3, nullptr) == 0);
    EXPECT(SUCCEEDED(StringCchPrintfW(wide, 16, L"%s %d", L"n", 5)) && wcscmp(wide, L"n 5") == 0);
    EXPECT(FAILED(StringCchCopyA(narrow, 3, "long")) && std::strcmp(narrow, "lo") == 0);
    char list[] = "a b";
    char* rest = nullptr;
    EXPECT(std::strcmp(strtok_s(list, " ", &rest), "a") == 0 && std::strcmp(strtok_s(nullptr, " ", &rest), "b") == 0);
    EXPECT(_strtoui64("18446744073709551615", nullptr, 10) == MAXULONGLONG && htonll(1) == 0x0100000000000000);
    return kFine;
}

// A host's clock begins at 0 and goes on by 100 ns with each look.
int clocks() {
    using std::chrono::steady_clock;
    const steady_clock::time_point start = steady_clock::now();
    EXPECT(start.time_since_epoch() < std::chrono::seconds(1));
    std::this_thread::sleep_for(std::chrono::microseconds(5));
    EXPECT(steady_clock::now() - start >= std::chrono::microseconds(5));
    EXPECT(std::time(nullptr) == 1'735'689'600);
    SYSTEMTIME day;
    GetSystemTime(&day);
    EXPECT(day.wYear == 2025 && day.wMonth == 1 && day.wDay == 1 && day.wDayOfWeek == 3 && day.wHour == 0);
    std::cout << "out " << 5 << std::endl;
    std::wcerr << L"err\u00E9\n";
    return kFine;
}

}  // namespace

int main() {
    for (int (*const part)() : {memory, locks, threads, addresses, texts, clocks}) {
        const int line = part();
        if (line != kFine) {
            return line;
        }
    }
    return kFine;
}
