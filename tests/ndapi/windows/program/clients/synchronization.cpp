// SPDX-License-Identifier: Apache-2.0
// A program that calls functions of threads, of its surroundings and of texts, and returns the line of the first one
// whose outcome is not Windows'; 0 if all are.
#include <immintrin.h>
#include <windows.h>
#include <winsock2.h>
//
#include <conio.h>
#include <intrin.h>
#include <ndspi.h>
#include <tchar.h>
#include <versionhelpers.h>
#include <winternl.h>

#include <cstring>
#include <ctime>
#include <random>

#include "tests/ndapi/windows/program/clients/expect.hpp"

namespace {

constexpr int kFine = 0;

void CALLBACK on_timer(PVOID count, BOOLEAN) {
    ++*static_cast<int*>(count);
}
void CALLBACK on_work(PTP_CALLBACK_INSTANCE, PVOID count, PTP_WORK) {
    ++*static_cast<int*>(count);
}
DWORD WINAPI on_item(LPVOID count) {
    ++*static_cast<int*>(count);
    return 0;
}
void CALLBACK on_call(ULONG_PTR count) {
    ++*reinterpret_cast<int*>(count);
}

int objects() {
    HANDLE semaphore = CreateSemaphore(nullptr, 1, 5, _T("name"));
    LONG previous = 9;
    EXPECT(WaitForSingleObject(semaphore, 0) == WAIT_OBJECT_0 && WaitForSingleObject(semaphore, 0) == WAIT_TIMEOUT);
    EXPECT(ReleaseSemaphore(semaphore, 2, &previous) && previous == 0);
    HANDLE mutex = CreateMutexEx(nullptr, nullptr, CREATE_MUTEX_INITIAL_OWNER, MUTEX_ALL_ACCESS);
    EXPECT(ReleaseMutex(mutex) && !ReleaseMutex(mutex) && GetLastError() == ERROR_NOT_OWNER);
    EXPECT(!ReleaseMutex(semaphore) && GetLastError() == ERROR_INVALID_HANDLE);
    HANDLE event = CreateEvent(nullptr, FALSE, FALSE, nullptr);
    EXPECT(SignalObjectAndWait(event, event, 0, FALSE) == WAIT_OBJECT_0);
    EXPECT(SignalObjectAndWait(semaphore, event, 0, FALSE) == WAIT_TIMEOUT);
    EXPECT(ReleaseSemaphore(semaphore, 1, &previous) && previous == 3);
    EXPECT(SignalObjectAndWait(nullptr, event, 0, FALSE) == WAIT_FAILED);
    HANDLE timer = CreateWaitableTimer(nullptr, TRUE, nullptr);
    LARGE_INTEGER due;
    due.QuadPart = -20'000;
    EXPECT(SetWaitableTimer(timer, &due, 3, nullptr, nullptr, FALSE) && CancelWaitableTimer(timer));
    GetSystemTimeAsFileTime(reinterpret_cast<FILETIME*>(&due));
    due.QuadPart += 5;  // 100 ns have gone by at the next look at the clock, so 400 ns are left
    EXPECT(SetWaitableTimer(timer, &due, 0, nullptr, nullptr, FALSE));
    EXPECT(!SetWaitableTimer(
        timer, &due, 0, [](LPVOID, DWORD, DWORD) {}, nullptr, FALSE));
    EXPECT(GetLastError() == ERROR_NOT_SUPPORTED);
    return kFine;
}

int handles() {
    HANDLE event = CreateEvent(nullptr, FALSE, TRUE, nullptr);
    HANDLE further = nullptr;
    HANDLE self = GetCurrentProcess();
    EXPECT(DuplicateHandle(self, event, self, &further, 0, FALSE, DUPLICATE_CLOSE_SOURCE | DUPLICATE_SAME_ACCESS));
    EXPECT(!CloseHandle(event) && WaitForSingleObject(further, 0) == WAIT_OBJECT_0 && CloseHandle(further));
    EXPECT(!DuplicateHandle(self, event, self, &further, 0, FALSE, DUPLICATE_SAME_ACCESS));
    EXPECT(!DuplicateHandle(nullptr, event, self, &further, 0, FALSE, DUPLICATE_SAME_ACCESS));
    EXPECT(DuplicateHandle(self, GetCurrentThread(), self, &further, 0, FALSE, DUPLICATE_SAME_ACCESS));
    EXPECT(GetThreadId(further) == GetCurrentThreadId());
    EXPECT(OpenThread(THREAD_ALL_ACCESS, FALSE, GetCurrentThreadId()) != nullptr);
    EXPECT(OpenThread(THREAD_ALL_ACCESS, FALSE, 77) == nullptr && GetLastError() == ERROR_INVALID_PARAMETER);
    DWORD code = 0;
    EXPECT(GetExitCodeThread(GetCurrentThread(), &code) && code == STILL_ACTIVE);
    return kFine;
}

int slots() {
    const DWORD slot = TlsAlloc();
    EXPECT(TlsSetValue(slot, nullptr));
    SetLastError(1234);
    EXPECT(TlsGetValue(slot) == nullptr && GetLastError() == ERROR_SUCCESS);
    EXPECT(TlsGetValue(slot + 1) == nullptr && GetLastError() == ERROR_INVALID_PARAMETER);
    return kFine;
}

int waits() {
    LONG value = 5;
    LONG other = 6;
    EXPECT(WaitOnAddress(&value, &other, sizeof(value), INFINITE));  // it is another already
    WakeByAddressSingle(&value);                                     // nobody waits, and nothing is remembered
    other = 5;
    EXPECT(!WaitOnAddress(&value, &other, sizeof(value), 1) && GetLastError() == ERROR_TIMEOUT);
    SYNCHRONIZATION_BARRIER barrier;
    EXPECT(InitializeSynchronizationBarrier(&barrier, 1, -1) && EnterSynchronizationBarrier(&barrier, 0));
    int calls = 0;
    EXPECT(SleepEx(1, TRUE) == 0 && QueueUserAPC(on_call, GetCurrentThread(), reinterpret_cast<ULONG_PTR>(&calls)));
    EXPECT(SleepEx(0, FALSE) == 0 && calls == 0);  // not alertable
    EXPECT(SleepEx(5, TRUE) == WAIT_IO_COMPLETION && calls == 1 && SleepEx(0, TRUE) == 0);
    EXPECT(QueueUserAPC(on_call, nullptr, 0) == 0 && GetLastError() == ERROR_INVALID_HANDLE);
    return kFine;
}

// Threads run to their end inside the call that creates them, on this host.
int pool() {
    int count = 0;
    EXPECT(QueueUserWorkItem(on_item, &count, WT_EXECUTEDEFAULT) && count == 1);
    PTP_WORK work = CreateThreadpoolWork(on_work, &count, nullptr);
    SubmitThreadpoolWork(work);
    SubmitThreadpoolWork(work);
    WaitForThreadpoolWorkCallbacks(work, FALSE);
    CloseThreadpoolWork(work);
    EXPECT(count == 3);
    HANDLE timer = nullptr;
    EXPECT(CreateTimerQueueTimer(&timer, nullptr, on_timer, &count, 1, 0, WT_EXECUTEONLYONCE) && count == 4);
    EXPECT(DeleteTimerQueueTimer(nullptr, timer, INVALID_HANDLE_VALUE));
    return kFine;
}

int surroundings() {
    WCHAR wide[64];
    char narrow[64];
    EXPECT(GetModuleFileName(nullptr, wide, 64) == 7 && wcscmp(wide, L"program") == 0);
    EXPECT(GetModuleFileNameA(nullptr, narrow, 4) == 4 && std::strcmp(narrow, "pro") == 0);
    EXPECT(GetLastError() == ERROR_INSUFFICIENT_BUFFER);
    EXPECT(wcscmp(GetCommandLine(), L"program -a \"b c\"") == 0 && GetCommandLineA() == GetCommandLineA());
    EXPECT(GetEnvironmentVariable(L"NO_SUCH_VARIABLE", wide, 64) == 0 && GetLastError() == ERROR_ENVVAR_NOT_FOUND);
    DWORD size = 2;
    EXPECT(!GetComputerName(wide, &size) && size == 5 && GetComputerName(wide, &size) && size == 4);
    EXPECT(gethostname(narrow, 64) == 0 && std::strcmp(narrow, "HOST") == 0);
    DWORD written = 0;
    EXPECT(WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), "out\n", 4, &written, nullptr) && written == 4);
    EXPECT(WriteConsole(GetStdHandle(STD_ERROR_HANDLE), L"err\n", 4, &written, nullptr));
    EXPECT(!WriteFile(nullptr, "x", 1, &written, nullptr) && GetLastError() == ERROR_INVALID_HANDLE);
    EXPECT(!_kbhit() && _getch() == -1 && IsWindows10OrGreater());
    EXPECT(RtlNtStatusToDosError(STATUS_CANCELLED) == ERROR_OPERATION_ABORTED);
    MEMORY_BASIC_INFORMATION information;
    EXPECT(VirtualQuery(wide, &information, sizeof(information)) == sizeof(information));
    EXPECT(information.State == MEM_COMMIT && VirtualQuery(wide, &information, 8) == 0);
    MEMORYSTATUSEX memory{};
    EXPECT(GlobalMemoryStatusEx(&memory) && memory.ullTotalPhys == 64ULL << 30);
    return kFine;
}

int texts() {
    char narrow[40];
    WCHAR wide[40];
    EXPECT(_itoa_s(-255, narrow, 16) == 0 && std::strcmp(narrow, "ffffff01") == 0);
    EXPECT(_itoa_s(-255, narrow, 10) == 0 && std::strcmp(narrow, "-255") == 0);
    EXPECT(_ultoa_s(12345, narrow, 5, 10) == ERANGE && narrow[0] == '\0' && _itoa_s(5, narrow, 1) == EINVAL);
    EXPECT(_ui64tow_s(~0ULL, wide, 40, 2) == ERANGE && _ultow_s(5, wide, 2) == 0 && wide[2] == L'1');  // 64 digits
    DWORD number[2] = {0, 7};
    ULONGLONG large = 0;
    EXPECT(sscanf_s("12 ff 5000000000", "%lu %lx %I64u", &number[0], &number[1], &large) == 3);
    EXPECT(number[0] == 12 && number[1] == 255 && large == 5'000'000'000);
    EXPECT(sscanf_s("key=value;7", "%[^=]=%[^;];%*d", narrow, 40U, narrow + 20, 20U) == 2);
    EXPECT(std::strcmp(narrow, "key") == 0 && std::strcmp(narrow + 20, "value") == 0);
    EXPECT(swscanf_s(L"abc d 5%", L"%s %hc %hd%%", wide, 40U, narrow, 1U, &number[0]) == 3);
    EXPECT(wcscmp(wide, L"abc") == 0 && narrow[0] == 'd' && sscanf_s("xy", "%c", narrow, 0U) == 0);
    EXPECT(strcpy_s(narrow, "aZ1") == 0 && _strupr_s(narrow) == 0 && std::strcmp(narrow, "AZ1") == 0);
    EXPECT(_strlwr_s(narrow, 3) == EINVAL && narrow[0] == '\0');  // no terminator within 3
    EXPECT(std::strcmp(lstrcpynA(narrow, "abcdef", 4), "abc") == 0);
    const std::time_t start = 1'735'689'600;
    std::timespec now;
    EXPECT(timespec_get(&now, TIME_UTC) == TIME_UTC && now.tv_sec == start && timespec_get(&now, 77) == 0);
    EXPECT(ctime_s(narrow, 26, &start) == 0 && std::strcmp(narrow, "Wed Jan  1 00:00:00 2025\n") == 0);
    EXPECT(ctime_s(narrow, 25, &start) == ERANGE);
    unsigned one = 0;
    unsigned two = 0;
    EXPECT(std::random_device()() == 0xE220A839);  // the upper half of SplitMix64's first number for the seed 0
    EXPECT(rand_s(&one) == 0 && rand_s(&two) == 0 && one != two && _flushall() == 0);
    return kFine;
}

struct __declspec(align(64)) Aligned {
    char bytes[3];
};

int compiler() {
    ULONG bit = 9;
    EXPECT(_BitScanForward(&bit, 8) && bit == 3 && _BitScanReverse64(&bit, 1ULL << 40) && bit == 40);
    EXPECT(!_BitScanForward64(&bit, 0) && _BitScanReverse(&bit, 0x80000001) && bit == 31);
    EXPECT(_rotl(0x80000001, 4) == 0x18 && _rotr(1, 0) == 1 && _rotl64(1, 65) == 2 && _rotr64(1, 1) == 1ULL << 63);
    EXPECT(__popcnt(0xF0F0) == 8 && alignof(Aligned) == 64);
    int registers[4];
    __cpuid(registers, 1);
    EXPECT(registers[2] == 0);
    const auto before = __rdtsc();
    EXPECT(__rdtsc() == before + 100);  // a look at this host's clock
    _mm_pause();
    SLIST_HEADER list;
    SLIST_ENTRY entries[2];
    InitializeSListHead(&list);
    EXPECT(InterlockedPushEntrySList(&list, &entries[0]) == nullptr);
    EXPECT(InterlockedPushEntrySList(&list, &entries[1]) == &entries[0] && QueryDepthSList(&list) == 2);
    EXPECT(InterlockedPopEntrySList(&list) == &entries[1] && InterlockedFlushSList(&list) == &entries[0]);
    IND2Adapter* adapter = nullptr;
    EXPECT(__uuidof(IND2Adapter) == IID_IND2Adapter && __uuidof(adapter) == IID_IND2Adapter);
    const auto same = [](REFIID iid, void** object) { return iid == IID_IND2Adapter && *object == nullptr; };
    EXPECT(same(IID_PPV_ARGS(&adapter)));
    return kFine;
}

}  // namespace

int main() {
    for (int (*const part)() : {objects, handles, slots, waits, pool, surroundings, texts, compiler}) {
        const int line = part();
        if (line != kFine) {
            return line;
        }
    }
    return kFine;
}
