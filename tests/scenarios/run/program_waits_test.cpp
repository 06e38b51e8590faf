// SPDX-License-Identifier: Apache-2.0
#include "tests/ndapi/ndspi/nd2_pair.hpp"

namespace ndsim::test::program_waits_test {

constexpr DWORD kTimeout = 258;    // WAIT_TIMEOUT
constexpr DWORD kAbandoned = 735;  // ERROR_ABANDONED_WAIT_0

TEST_CASE("program: a wait ends at its time limit, to the picosecond, and one that ends early leaves nothing behind") {
    DWORD in_vain = 0;
    DWORD in_time = 0;
    std::uint64_t waited = 0;
    const RunResult run = run_nd2(
        [&](HostContext&, ProgramHost& os) {
            const HANDLE event = os.create_event(false, false);
            const std::uint64_t begun = os.nanoseconds();
            in_vain = os.wait(&event, 1, false, 3);
            waited = os.nanoseconds() - begun;
            expect(os.set_event(event) == 0, "it is set");
            in_time = os.wait(&event, 1, false, 8000);
        },
        [](HostContext&, ProgramHost& os) {
            const HANDLE port = os.create_port(INVALID_HANDLE_VALUE, nullptr, 0);
            PortPacket packet;
            expect(os.dequeue(port, packet, 1) == kTimeout, "nothing came");
        });
    CHECK(in_vain == kTimeout);
    CHECK(in_time == 0);  // WAIT_OBJECT_0
    // 3 ms, and a look at the clock of 10 ns at their end.
    CHECK(waited == 3'000'010);
    CHECK(run.ended < std::chrono::seconds{1});
}

TEST_CASE("program: two threads wait for each other's events") {
    std::vector<int> order;
    struct Shared {
        ProgramHost& os;
        HANDLE there;
        HANDLE back;
        std::vector<int>& order;
    };
    run_nd2(
        [&](HostContext&, ProgramHost& os) {
            Shared shared{os, os.create_event(false, false), os.create_event(false, false), order};
            const HANDLE thread = os.create_thread(
                [](void* argument) -> DWORD {
                    Shared& of = *static_cast<Shared*>(argument);
                    expect(of.os.wait(&of.there, 1, false, INFINITE) == 0, "there");
                    of.order.push_back(2);
                    expect(of.os.set_event(of.back) == 0, "back");
                    return 7;
                },
                &shared, nullptr);
            expect(thread != nullptr, "a thread");
            order.push_back(1);
            expect(os.set_event(shared.there) == 0, "there");
            expect(os.wait(&shared.back, 1, false, INFINITE) == 0, "back");
            order.push_back(3);
            DWORD code = STILL_ACTIVE;
            expect(os.wait(&thread, 1, false, INFINITE) == 0, "it ends");
            expect(os.exit_code_of(thread, code) == 0 && code == 7, "with its code");
            expect(os.exit_code_of(shared.there, code) == ERROR_INVALID_HANDLE && code == 7, "an event has none");
        },
        idle);
    CHECK(order == std::vector<int>{1, 2, 3});
}

// A duplicate of the handle keeps the port open from 1 ms to 2 ms.
TEST_CASE("program: a thread that waits at a port goes on when the port's last handle is closed") {
    struct Shared {
        ProgramHost& os;
        HANDLE port;
        Win32Error error = 0;
        std::uint64_t ended = 0;
    };
    std::uint64_t closed = 0;
    std::uint64_t ended = 0;
    Win32Error error = 0;
    run_nd2(
        [&](HostContext&, ProgramHost& os) {
            Shared shared{os, os.create_port(INVALID_HANDLE_VALUE, nullptr, 0)};
            const HANDLE duplicate = os.duplicate_handle(shared.port);
            const HANDLE thread = os.create_thread(
                [](void* argument) -> DWORD {
                    Shared& of = *static_cast<Shared*>(argument);
                    PortPacket packet;
                    of.error = of.os.dequeue(of.port, packet, INFINITE);
                    of.ended = of.os.nanoseconds();
                    return 0;
                },
                &shared, nullptr);
            os.sleep(1);
            expect(os.close_handle(shared.port) == 0, "one handle is closed");
            os.sleep(1);
            closed = os.nanoseconds();
            expect(os.close_handle(duplicate) == 0, "and the other");
            expect(os.wait(&thread, 1, false, 1) == 0, "the thread ends");
            ended = shared.ended;
            error = shared.error;
        },
        idle);
    CHECK(error == kAbandoned);
    CHECK(ended == closed + 4'010);  // cpu.event_wakeup of 4 us, and a look at the clock of 10 ns
}

}  // namespace ndsim::test::program_waits_test
