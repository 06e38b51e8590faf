// SPDX-License-Identifier: Apache-2.0
// A program that wakes its threads: what is signalled ends waits at once, though their threads go on later. It prints
// what is not as it should be.
#include <windows.h>

#include <chrono>
#include <thread>

#include "tests/ndapi/windows/program/clients/printed_facts.hpp"

namespace {

LONG woken = 0;

DWORD WINAPI wait_for(LPVOID object) {
    WaitForSingleObject(object, INFINITE);
    InterlockedIncrement(&woken);
    return 0;
}

// So many threads wait for an object.
void begin(HANDLE object, int threads) {
    woken = 0;
    for (int i = 0; i < threads; ++i) {
        CloseHandle(CreateThread(nullptr, 0, wait_for, object, 0, nullptr));
    }
    Sleep(1);
}
LONG woken_by_now() {
    Sleep(1);
    return woken;
}

void events() {
    HANDLE const one = CreateEvent(nullptr, FALSE, FALSE, nullptr);
    begin(one, 2);
    SetEvent(one);
    SetEvent(one);
    expect(woken_by_now() == 2, "two sets of an event wake two threads");
    begin(one, 1);
    SetEvent(one);
    expect(WaitForSingleObject(one, 0) == WAIT_TIMEOUT, "an event that has ended a wait is not there for the setter");
    expect(woken_by_now() == 1, "it has ended the wait");
    begin(one, 1);
    SetEvent(one);
    ResetEvent(one);
    expect(woken_by_now() == 1, "a reset comes too late for the thread that waits");
    HANDLE const all = CreateEvent(nullptr, TRUE, FALSE, nullptr);
    begin(all, 3);
    SetEvent(all);
    ResetEvent(all);
    expect(woken_by_now() == 3, "and for all that wait, if the event is reset by hand");
}

void semaphores() {
    HANDLE const semaphore = CreateSemaphore(nullptr, 0, 10, nullptr);
    begin(semaphore, 3);
    ReleaseSemaphore(semaphore, 2, nullptr);
    expect(WaitForSingleObject(semaphore, 0) == WAIT_TIMEOUT, "others have what is released");
    expect(woken_by_now() == 2, "two of three threads have it");
    ReleaseSemaphore(semaphore, 1, nullptr);
    expect(woken_by_now() == 3, "and now the third");
}

// Takes a mutex for a millisecond at a time, without a rest.
DWORD WINAPI take_again(LPVOID mutex) {
    for (int i = 0; i < 20; ++i) {
        WaitForSingleObject(mutex, INFINITE);
        Sleep(1);
        ReleaseMutex(mutex);
    }
    return 0;
}

LONGLONG nanoseconds() {
    LARGE_INTEGER at;
    LARGE_INTEGER frequency;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&at);
    return at.QuadPart * (1'000'000'000 / frequency.QuadPart);
}

void mutexes() {
    HANDLE const mutex = CreateMutex(nullptr, FALSE, nullptr);
    HANDLE const other = CreateThread(nullptr, 0, take_again, mutex, 0, nullptr);
    Sleep(0);
    const LONGLONG begun = nanoseconds();
    WaitForSingleObject(mutex, INFINITE);
    expect(nanoseconds() - begun < 2'000'000, "a mutex goes to the thread that waits for it");
    ReleaseMutex(mutex);
    WaitForSingleObject(other, INFINITE);
}

// A wait for both takes nothing while one is missing.
DWORD WINAPI wait_for_both(LPVOID objects) {
    WaitForMultipleObjects(2, static_cast<HANDLE*>(objects), TRUE, INFINITE);
    InterlockedIncrement(&woken);
    return 0;
}

void all_at_once() {
    HANDLE both[] = {CreateEvent(nullptr, FALSE, FALSE, nullptr), CreateEvent(nullptr, FALSE, FALSE, nullptr)};
    woken = 0;
    CloseHandle(CreateThread(nullptr, 0, wait_for_both, both, 0, nullptr));
    Sleep(1);
    SetEvent(both[0]);
    expect(WaitForSingleObject(both[0], 0) == WAIT_OBJECT_0, "one of two is not taken");
    SetEvent(both[1]);
    expect(woken_by_now() == 0, "nor does the other one end the wait");
    SetEvent(both[0]);
    ResetEvent(both[1]);
    expect(woken_by_now() == 1, "both do, at once");
}

struct Packets {
    HANDLE port;
    LONG sum;
};
DWORD WINAPI take_packet(LPVOID argument) {
    auto* const packets = static_cast<Packets*>(argument);
    DWORD bytes = 0;
    ULONG_PTR key = 0;
    LPOVERLAPPED overlapped = nullptr;
    GetQueuedCompletionStatus(packets->port, &bytes, &key, &overlapped, INFINITE);
    packets->sum += static_cast<LONG>(key);
    return 0;
}

void ports() {
    Packets packets{CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 0), 0};
    HANDLE const thread = CreateThread(nullptr, 0, take_packet, &packets, 0, nullptr);
    Sleep(1);
    PostQueuedCompletionStatus(packets.port, 0, 7, nullptr);
    DWORD bytes = 0;
    ULONG_PTR key = 0;
    LPOVERLAPPED overlapped = nullptr;
    expect(!GetQueuedCompletionStatus(packets.port, &bytes, &key, &overlapped, 0), "a packet has its thread");
    WaitForSingleObject(thread, INFINITE);
    expect(packets.sum == 7, "which gets it");
}

void sleeps() {
    using namespace std::chrono_literals;
    for (const std::chrono::nanoseconds span : {700ns, 100'000ns, 1'500'000ns}) {
        for (int i = 0; i < 5; ++i) {
            const auto begun = std::chrono::steady_clock::now();
            std::this_thread::sleep_for(span);
            const auto slept = std::chrono::steady_clock::now() - begun;
            expect(slept >= span && slept < span + 100ns, "a sleep lasts its time, and the look at the clock");
        }
    }
}

}  // namespace

int main() {
    events();
    semaphores();
    mutexes();
    all_at_once();
    ports();
    sleeps();
    return failures;
}
