// SPDX-License-Identifier: Apache-2.0
// The functions of Windows that a program calls without a provider; the program itself looks at what they return.
#include <algorithm>

#include "tests/ndapi/windows/program/loaded_program.hpp"
#include "tests/support/catch.hpp"

namespace calls_test {

TEST_CASE("program: memory, locks, threads, addresses, texts and clocks are Windows'") {
    FakeHost host;
    LoadedProgram program("calls", host);
    CHECK(program.run() == 0);  // otherwise the line of clients/calls.cpp
    CHECK(host.printed.at(1) == "out 5\n");
    CHECK(host.printed.at(2) == "err\xC3\xA9\n");
}

TEST_CASE("program: semaphores, mutexes, timers, pools, surroundings and the compiler's own functions are Windows'") {
    FakeHost host;
    LoadedProgram program("synchronization", host);
    CHECK(program.run({"-a", "b c"}) == 0);  // otherwise the line of clients/synchronization.cpp
    CHECK(host.printed.at(1) == "out\n");
    CHECK(host.printed.at(2) == "err\n");
    const auto was_called = [&](const char* call) { return std::ranges::count(host.calls, call) == 1; };
    CHECK(was_called("timer 2000000 3"));  // 20000 units of 100 ns
    CHECK(was_called("timer 400 0"));
    CHECK(was_called("timer 1000000 0"));  // of the timer queue
}

}  // namespace calls_test
