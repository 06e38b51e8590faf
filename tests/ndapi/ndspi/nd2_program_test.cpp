// SPDX-License-Identifier: Apache-2.0
#include "ndapi/windows/abi/constants.h"
#include "tests/ndapi/ndspi/nd2_calls.hpp"
#include "tests/support/child.hpp"

namespace ndsim::test::nd2_program_test {

constexpr int kCode = 0x12345678;  // more than the eight bits of a process on Linux

// What a program leaves when it exits in the middle of something is not destroyed, so each of these runs has a process
// of its own, and the programs say themselves what must hold.
void run_apart(const HostProgram& a, const HostProgram& b) {
    RunOptions options;
    options.programs = {{"A", a}, {"B", b}};
    const ChildResult run = run_text(R"({"hosts": {"A": {}, "B": {}}})", {}, options);
    INFO(run.why);
    CHECK(run.ended);
    CHECK(run.outcome == RunOutcome::finished);
}

// A has two Receives, and hears of the end of its connection within a millisecond of B's.
HostProgram survivor(std::uint64_t end_of_b) {
    return [end_of_b](HostContext& host) {
        host.run_program([&](ProgramHost& os) {
            Nd2Party a(host, os);
            a.be_active("B");
            Nd2Call ends(os);
            expect(a.connector->NotifyDisconnect(&ends.overlapped) == ND_PENDING, "it is connected");
            expect(a.receive(64, context(1)) == ND_SUCCESS && a.receive(64, context(2)) == ND_SUCCESS, "two Receives");
            expect(ends.end(*a.connector.get()) == ND_SUCCESS, "the connection ends");
            const std::uint64_t now = os.nanoseconds();
            expect(now >= end_of_b * 1'000'000 && now < (end_of_b + 2) * 1'000'000, "when B does");
            expect(next(a, 2) == Endings{{kReceive, ND_CANCELED, 1}, {kReceive, ND_CANCELED, 2}}, "they are cancelled");
            expect(FAILED(a.disconnect()), "B did not disconnect, it was cut off");
            return 0;
        });
    };
}

// A party that listens at port 5000, which nobody else can do on the host for as long as it is there.
void be_there(HostContext& host, ProgramHost& os) {
    Nd2Party b(host, os);
    b.listen();
}

TEST_CASE("nd2: a program that exits gives back all that it has, and its peer sees an abort", "[B25]") {
    run_apart(survivor(6), [](HostContext& host) {
        const int code = host.run_program([&](ProgramHost& os) {
            Nd2Party b(host, os);
            b.be_passive();
            until_ms(os, 6);
            os.exit_process(kCode);
            return 0;
        });
        expect(code == kCode, "the exit code is told in full");
        const int next_code = host.run_program([&](ProgramHost& os) {
            be_there(host, os);
            return 7;
        });
        expect(next_code == 7, "a program's exit code is what it returns");
    });
}

// The program's first thread waits for a connection meanwhile, with a request pending.
TEST_CASE("nd2: any thread of a program ends all of it", "[B25]") {
    run_apart(
        [](HostContext& host) {
            host.run_program([&](ProgramHost& os) {
                until_ms(os, 8);
                return 0;
            });
        },
        [](HostContext& host) {
            const int code = host.run_program([&](ProgramHost& os) {
                Nd2Party b(host, os);
                b.listen();
                const auto exits = [](void* argument) -> DWORD {
                    ProgramHost& its_host = *static_cast<ProgramHost*>(argument);
                    its_host.sleep(2);
                    its_host.exit_process(kCode);
                    return 0;
                };
                expect(os.create_thread(exits, &os, nullptr) != nullptr, "a thread");
                (void)b.next_request(*b.connector.get());
                expect(false, "nobody connects");
                return 0;
            });
            expect(code == kCode, "the thread has ended it");
            expect(host.run_program([&](ProgramHost& os) {
                be_there(host, os);
                return 0;
            }) == 0,
                   "the port is free again");
        });
}

// B's program returns without having released anything: its references are never given back.
TEST_CASE("nd2: a program that returns with objects left gives them back all the same", "[B25]") {
    run_apart(survivor(6), [](HostContext& host) {
        const int code = host.run_program([&](ProgramHost& os) {
            auto* const b = new Nd2Party(host, os);  // NOLINT: never deleted
            b->be_passive();
            until_ms(os, 6);
            return 3;
        });
        expect(code == 3, "a program's exit code is what it returns");
        expect(host.run_program([&](ProgramHost& os) {
            be_there(host, os);
            return 0;
        }) == 0,
               "the port is free again");
    });
}

// Accept waits for A's CompleteConnect, which never comes: A ends instead (B18).
TEST_CASE("nd2: an Accept ends when the connecting program does", "[B18][B25]") {
    run_apart(
        [](HostContext& host) {
            const int code = host.run_program([&](ProgramHost& os) {
                Nd2Party a(host, os);
                os.sleep(1);
                expect(a.connect("B") == ND_SUCCESS, "B accepts");
                os.sleep(2);
                os.exit_process(1);
                return 0;
            });
            expect(code == 1, "it exits");
        },
        [](HostContext& host) {
            host.run_program([&](ProgramHost& os) {
                Nd2Party b(host, os);
                b.listen();
                expect(b.next_request(*b.connector.get()) == ND_SUCCESS, "a connect request");
                expect(b.accept() == ND_CONNECTION_ABORTED, "A is gone");
                expect(os.nanoseconds() < 8'000'000, "soon");
                return 0;
            });
        });
}

}  // namespace ndsim::test::nd2_program_test
