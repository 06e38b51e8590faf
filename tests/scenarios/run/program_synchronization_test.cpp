// SPDX-License-Identifier: Apache-2.0
// Semaphores, mutexes and timers of a program on a simulated host.
#include <array>

#include "ndapi/windows/abi/constants.h"
#include "tests/ndapi/ndspi/nd2_pair.hpp"

namespace ndsim::test::program_synchronization_test {

// What two threads of a program share.
struct Shared {
    ProgramHost& os;
    HANDLE first = nullptr;
    HANDLE second = nullptr;
    std::vector<int> order{};
};

HANDLE start(Shared& shared, ProgramHost::ThreadStart body) {
    const HANDLE thread = shared.os.create_thread(body, &shared, nullptr);
    expect(thread != nullptr, "a thread");
    return thread;
}

TEST_CASE("program: as many waits end by a semaphore as it counts") {
    run_nd2(
        [](HostContext&, ProgramHost& os) {
            const HANDLE semaphore = os.create_semaphore(1, 3);
            LONG previous = 9;
            expect(os.wait(&semaphore, 1, false, 0) == WAIT_OBJECT_0, "it counts 1");
            expect(os.wait(&semaphore, 1, false, 0) == WAIT_TIMEOUT, "it counts 0");
            expect(os.release_semaphore(semaphore, 2, &previous) == 0 && previous == 0, "it counted 0");
            expect(os.release_semaphore(semaphore, 2, &previous) == ERROR_TOO_MANY_POSTS, "3 are the most");
            expect(os.release_semaphore(semaphore, 1, &previous) == 0 && previous == 2, "it counted 2");
            expect(os.release_semaphore(semaphore, 0, nullptr) == ERROR_INVALID_PARAMETER, "0 is no count");
            const HANDLE event = os.create_event(false, false);
            expect(os.release_semaphore(event, 1, nullptr) == ERROR_INVALID_HANDLE, "an event is none");
            expect(os.create_semaphore(2, 1) == nullptr, "more than the most");
            expect(os.last_error() == ERROR_INVALID_PARAMETER, "that is refused");
        },
        idle);
}

// Nothing is taken of a wait for all that ends at its time limit.
TEST_CASE("program: a wait for all takes nothing until all are ready") {
    run_nd2(
        [](HostContext&, ProgramHost& os) {
            const std::array both{os.create_semaphore(1, 1), os.create_event(false, false)};
            expect(os.wait(both.data(), 2, true, 1) == WAIT_TIMEOUT, "the event is not set");
            expect(os.set_event(both[1]) == 0, "it is set");
            expect(os.wait(both.data(), 2, true, 1) == WAIT_OBJECT_0, "both are ready");
            expect(os.wait(both.data(), 2, false, 0) == WAIT_TIMEOUT, "both are taken");
        },
        idle);
}

TEST_CASE("program: a mutex lets its owner in again, and another thread when it was released as often") {
    std::vector<int> order;
    run_nd2(
        [&](HostContext&, ProgramHost& os) {
            Shared shared{os, os.create_mutex(true), os.create_event(false, false)};
            expect(os.wait(&shared.first, 1, false, INFINITE) == WAIT_OBJECT_0, "its owner takes it again");
            const HANDLE thread = start(shared, [](void* argument) -> DWORD {
                Shared& of = *static_cast<Shared*>(argument);
                expect(of.os.release_mutex(of.first) == ERROR_NOT_OWNER, "it is another's");
                expect(of.os.set_event(of.second) == 0, "it is about to wait");
                expect(of.os.wait(&of.first, 1, false, INFINITE) == WAIT_OBJECT_0, "it is free");
                of.order.push_back(3);
                expect(of.os.release_mutex(of.first) == 0, "it is released");
                return 0;
            });
            expect(os.wait(&shared.second, 1, false, INFINITE) == WAIT_OBJECT_0, "the thread runs");
            os.sleep(1);
            shared.order.push_back(1);
            expect(os.release_mutex(shared.first) == 0, "once");
            os.sleep(1);
            shared.order.push_back(2);
            expect(os.release_mutex(shared.first) == 0, "twice");
            expect(os.release_mutex(shared.first) == ERROR_NOT_OWNER, "it is nobody's");
            expect(os.wait(&thread, 1, false, INFINITE) == WAIT_OBJECT_0, "the thread ends");
            order = shared.order;
        },
        idle);
    CHECK(order == std::vector<int>{1, 2, 3});
}

TEST_CASE("program: a mutex whose owner has ended is told to be abandoned, once") {
    run_nd2(
        [](HostContext&, ProgramHost& os) {
            Shared shared{os, os.create_mutex(false), os.create_event(false, false)};
            const auto take_and_end = [](void* argument) -> DWORD {
                Shared& of = *static_cast<Shared*>(argument);
                expect(of.os.wait(&of.first, 1, false, INFINITE) == WAIT_OBJECT_0, "it is free");
                expect(of.os.set_event(of.second) == 0, "it is taken");
                of.os.sleep(1);
                return 0;
            };
            start(shared, take_and_end);
            expect(os.wait(&shared.second, 1, false, INFINITE) == WAIT_OBJECT_0, "it is taken");
            const std::array any{shared.second, shared.first};
            expect(os.wait(any.data(), 2, false, INFINITE) == WAIT_ABANDONED + 1, "its owner ends");
            expect(os.release_mutex(shared.first) == 0, "it is this thread's now");
            expect(os.wait(&shared.first, 1, false, 0) == WAIT_OBJECT_0, "all is forgotten");
        },
        idle);
}

// 2 ms after it is set, then every 3 ms; a thread that is blocked goes on cpu.event_wakeup later, and a look at the
// clock takes 10 ns.
TEST_CASE("program: a timer ends waits at its time and after each period, and not after it is cancelled") {
    std::vector<std::uint64_t> ends;
    std::uint64_t begun = 0;
    const RunResult run = run_nd2(
        [&](HostContext&, ProgramHost& os) {
            const HANDLE timer = os.create_timer(false);
            begun = os.nanoseconds();
            expect(os.set_timer(timer, 2'000'000, 3) == 0, "it is set");
            for (int i = 0; i < 3; ++i) {
                expect(os.wait(&timer, 1, false, INFINITE) == WAIT_OBJECT_0, "it is due");
                ends.push_back(os.nanoseconds());
            }
            expect(os.cancel_timer(timer) == 0, "it is cancelled");
            expect(os.wait(&timer, 1, false, 4) == WAIT_TIMEOUT, "it is not due again");
            expect(os.set_timer(timer, 60'000'000'000, 1) == 0, "the program ends before");
        },
        idle);
    REQUIRE(ends.size() == 3);
    CHECK(ends[0] - begun > 2'000'000);
    CHECK(ends[0] - begun < 2'100'000);
    CHECK(ends[1] - ends[0] == 3'000'000);
    CHECK(ends[2] - ends[1] == 3'000'000);
    CHECK(run.ended < std::chrono::seconds{1});
}

TEST_CASE("program: a timer with manual reset stays signalled until it is set anew") {
    run_nd2(
        [](HostContext&, ProgramHost& os) {
            const HANDLE timer = os.create_timer(true);
            expect(os.set_timer(timer, 0, 0) == 0, "it is due at once");
            expect(os.wait(&timer, 1, false, INFINITE) == WAIT_OBJECT_0, "it is");
            expect(os.wait(&timer, 1, false, 0) == WAIT_OBJECT_0, "it still is");
            expect(os.set_timer(timer, 1'000'000, 0) == 0, "it is set anew");
            expect(os.wait(&timer, 1, false, 0) == WAIT_TIMEOUT, "it is not due yet");
        },
        idle);
}

TEST_CASE("program: a further handle stands for the same, also when the first is closed") {
    run_nd2(
        [](HostContext&, ProgramHost& os) {
            const HANDLE event = os.create_event(true, false);
            const HANDLE other = os.duplicate_handle(event);
            expect(other != nullptr && other != event, "another handle");
            expect(os.set_event(event) == 0 && os.close_handle(event) == 0, "it is set");
            expect(os.wait(&other, 1, false, 0) == WAIT_OBJECT_0, "the same event");
            expect(os.duplicate_handle(event) == nullptr, "it is closed");
            const HANDLE me = os.open_thread(os.thread_id());
            DWORD code = 0;
            expect(os.exit_code_of(me, code) == 0 && code == STILL_ACTIVE, "this thread runs");
            expect(os.wait(&me, 1, false, 0) == WAIT_TIMEOUT, "and can be waited for");
        },
        idle);
}

// A thread ends 1 ms after it was made, with 3. Its number finds it while it runs, without any handle, and as long as
// it has one.
TEST_CASE("program: a thread is found by its number while it runs or has a handle") {
    run_nd2(
        [](HostContext&, ProgramHost& os) {
            const auto later = [](void* argument) -> DWORD {
                static_cast<ProgramHost*>(argument)->sleep(1);
                return 3;
            };
            DWORD id = 0;
            DWORD code = 0;
            expect(os.close_handle(os.create_thread(later, &os, &id)) == 0, "its only handle");
            const HANDLE found = os.open_thread(id);
            expect(found != nullptr && os.wait(&found, 1, false, INFINITE) == 0, "another one");
            const HANDLE again = os.open_thread(id);
            expect(os.exit_code_of(again, code) == 0 && code == 3, "it has ended, but has a handle");
            expect(os.close_handle(found) == 0 && os.close_handle(again) == 0, "the last one");
            expect(os.create_thread(later, &os, nullptr) != nullptr, "another thread");
            expect(os.open_thread(id) == nullptr && os.last_error() == ERROR_INVALID_PARAMETER, "it is gone");
        },
        idle);
}

}  // namespace ndsim::test::program_synchronization_test
