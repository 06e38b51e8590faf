// SPDX-License-Identifier: Apache-2.0
// The functions of Windows that are made of calls of the host.
#include <algorithm>
#include <cstdint>

#include "tests/ndapi/windows/program/loaded_program.hpp"
#include "tests/support/catch.hpp"

namespace host_calls_test {

constexpr auto kForever = INFINITE;

DWORD return_argument(LPVOID argument) {
    return static_cast<DWORD>(reinterpret_cast<std::uintptr_t>(argument));
}

// Ends itself with 9 by the function that its argument is.
DWORD end_itself(LPVOID exit_thread) {
    reinterpret_cast<decltype(&::ExitThread)>(exit_thread)(9);
    return 0;
}

std::uint64_t value_of(const FILETIME& time) {
    return (std::uint64_t{time.dwHighDateTime} << 32) | time.dwLowDateTime;
}

TEST_CASE("program: clocks count nanoseconds, and tell idle from busy time") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    LARGE_INTEGER count;
    LARGE_INTEGER frequency;
    CHECK(functions.performance_frequency(&frequency) == TRUE);
    CHECK(frequency.QuadPart == 1'000'000'000);
    CHECK(functions.performance_counter(&count) == TRUE);
    CHECK(count.QuadPart == 100);  // the host's first look at the clock
    CHECK(functions.performance_counter(&count) == TRUE);
    CHECK(count.QuadPart == 200);
    CHECK(functions.tick_count() == 0);  // 300 ns are no millisecond

    FILETIME idle;
    FILETIME kernel;
    FILETIME user;
    CHECK(functions.system_times(&idle, &kernel, &user) == TRUE);
    CHECK(value_of(idle) == 10'000);    // 1 ms in units of 100 ns
    CHECK(value_of(kernel) == 10'000);  // the idle time counts as the kernel's
    CHECK(value_of(user) == 30'000);
    CHECK(functions.system_times(&idle, nullptr, nullptr) == TRUE);

    SYSTEM_INFO info;
    functions.system_info(&info);
    CHECK(info.dwNumberOfProcessors == 4);
    CHECK(info.dwActiveProcessorMask == 0xF);
    CHECK(info.dwPageSize == 4096);

    functions.sleep(0);
    functions.sleep(kForever);
    CHECK(host.calls == std::vector<std::string>{"sleep 0", "sleep 4294967295"});
}

TEST_CASE("program: events, and errors of handles") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    const HANDLE once = functions.create_event(nullptr, FALSE, TRUE, nullptr);
    const HANDLE lasting = functions.create_event(nullptr, TRUE, FALSE, L"name");
    CHECK(functions.wait(once, 5) == WAIT_OBJECT_0);
    CHECK(functions.wait(once, 5) == WAIT_TIMEOUT);  // the wait has reset it
    CHECK(functions.set_event(lasting) == TRUE);
    const std::array handles{once, lasting};
    CHECK(functions.wait_for_many(2, handles.data(), FALSE, kForever) == WAIT_OBJECT_0 + 1);
    CHECK(functions.wait(lasting, 0) == WAIT_OBJECT_0);
    CHECK(functions.reset_event(lasting) == TRUE);
    CHECK(functions.wait(lasting, 0) == WAIT_TIMEOUT);
    CHECK(host.calls.at(2) == "wait 2 any 4294967295");
    functions.wait_for_many(2, handles.data(), TRUE, 7);
    CHECK(host.calls.back() == "wait 2 all 7");

    CHECK(functions.close_handle(once) == TRUE);
    CHECK(functions.close_handle(once) == FALSE);
    CHECK(functions.last_error() == ERROR_INVALID_HANDLE);
    CHECK(functions.wait(once, 0) == WAIT_FAILED);
    CHECK(functions.set_event(nullptr) == FALSE);
}

TEST_CASE("program: threads, and their ends") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    DWORD id = 0;
    DWORD code = 0;
    void* const argument = reinterpret_cast<void*>(std::uintptr_t{5});
    const HANDLE returns = functions.create_thread(nullptr, 0, return_argument, argument, 0, &id);
    CHECK(id == 2);
    CHECK(functions.wait(returns, kForever) == WAIT_OBJECT_0);
    CHECK(functions.exit_code(returns, &code) == TRUE);
    CHECK(code == 5);

    auto* const exit_thread = reinterpret_cast<void*>(functions.exit_thread);
    const HANDLE exits = functions.create_thread(nullptr, 0, end_itself, exit_thread, 0, nullptr);
    CHECK(functions.exit_code(exits, &code) == TRUE);
    CHECK(code == 9);
}

// B14's half of this is the provider's: whether there is a packet at all.
TEST_CASE("program: a port gives success, failure with its request, and nothing") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    const HANDLE port = functions.create_port(INVALID_HANDLE_VALUE, nullptr, 0, 0);
    CHECK(functions.create_port(reinterpret_cast<HANDLE>(std::uintptr_t{0x40}), port, 11, 0) == port);
    CHECK(host.calls == std::vector<std::string>{"associate key 11"});

    OVERLAPPED request{};
    OVERLAPPED* overlapped = nullptr;
    DWORD bytes = 0;
    ULONG_PTR key = 0;
    CHECK(functions.post(port, 3, 4, nullptr) == TRUE);  // a packet without a request is one, too
    overlapped = &request;
    CHECK(functions.dequeue(port, &bytes, &key, &overlapped, 0) == TRUE);
    CHECK((bytes == 3 && key == 4 && overlapped == nullptr));

    CHECK(functions.post(port, 5, 6, &request) == TRUE);
    CHECK(functions.dequeue(port, &bytes, &key, &overlapped, kForever) == TRUE);
    CHECK((bytes == 5 && key == 6 && overlapped == &request));

    host.post(port, {7, 8, &request, STATUS_CANCELLED});
    overlapped = nullptr;
    CHECK(functions.dequeue(port, &bytes, &key, &overlapped, 1) == FALSE);
    CHECK((bytes == 7 && key == 8 && overlapped == &request));
    CHECK(functions.last_error() == ERROR_OPERATION_ABORTED);

    host.post(port, {0, 0, &request, STATUS_BUFFER_OVERFLOW});  // a warning is no success either
    CHECK(functions.dequeue(port, &bytes, &key, &overlapped, 1) == FALSE);
    CHECK(functions.last_error() == ERROR_MORE_DATA);
    host.post(port, {0, 0, &request, NTSTATUS(0xC0009999)});  // unknown to the table
    CHECK(functions.dequeue(port, &bytes, &key, &overlapped, 1) == FALSE);
    CHECK(functions.last_error() == ERROR_MR_MID_NOT_FOUND);

    CHECK(functions.dequeue(port, &bytes, &key, &overlapped, 1) == FALSE);
    CHECK(overlapped == nullptr);
    CHECK(functions.last_error() == WAIT_TIMEOUT);
    CHECK(functions.post(nullptr, 0, 0, nullptr) == FALSE);
    CHECK(functions.last_error() == ERROR_INVALID_HANDLE);
}

TEST_CASE("program: heaps give zeroed, aligned memory and can be destroyed with what they gave") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    const HANDLE process = functions.process_heap();
    REQUIRE(process != nullptr);
    auto* const zeroed = static_cast<std::uint8_t*>(functions.heap_alloc(process, HEAP_ZERO_MEMORY, 1000));
    REQUIRE(zeroed != nullptr);
    CHECK(std::count(zeroed, zeroed + 1000, 0) == 1000);
    CHECK(reinterpret_cast<std::uintptr_t>(zeroed) % 16 == 0);
    CHECK(functions.heap_free(process, 0, zeroed) == TRUE);
    CHECK(functions.heap_free(process, 0, nullptr) == TRUE);
    CHECK(functions.heap_alloc(process, 0, ~SIZE_T{0}) == nullptr);
    CHECK(functions.heap_destroy(process) == FALSE);

    const HANDLE heap = functions.heap_create(0, 0, 0);
    REQUIRE(heap != nullptr);
    void* const first = functions.heap_alloc(heap, 0, 1);
    functions.heap_alloc(heap, 0, 2);  // freed with the heap, or a sanitizer says so
    CHECK(functions.heap_free(heap, 0, first) == TRUE);
    functions.heap_alloc(heap, 0, 3);
    CHECK(functions.heap_destroy(heap) == TRUE);
}

TEST_CASE("program: a critical section lets its owner in again, and others wait") {
    FakeHost host;
    const LoadedProgram program("functions", host);
    const Functions& functions = program.functions();
    CRITICAL_SECTION section;
    functions.initialize_section(&section);
    functions.enter_section(&section);
    functions.enter_section(&section);
    CHECK(section.RecursionCount == 2);
    functions.leave_section(&section);
    functions.leave_section(&section);
    CHECK(section.RecursionCount == 0);
    CHECK(host.calls == std::vector<std::string>{"interlocked", "interlocked"});

    // Thread 2 finds the section taken, and thread 1 leaves it meanwhile.
    functions.enter_section(&section);
    host.thread = 2;
    host.during_wait = [&] {
        CHECK(section.OwningThread == 1);
        host.thread = 1;
        functions.leave_section(&section);
        host.thread = 2;
    };
    functions.enter_section(&section);
    CHECK(host.calls.back() == "wait 1 any 4294967295");
    CHECK((section.OwningThread == 2 && section.RecursionCount == 1 && section.LockCount == 0));
    functions.leave_section(&section);

    const HANDLE event = section.LockSemaphore;
    CHECK(event != nullptr);
    functions.delete_section(&section);
    CHECK(functions.close_handle(event) == FALSE);  // it is closed already
}

}  // namespace host_calls_test
