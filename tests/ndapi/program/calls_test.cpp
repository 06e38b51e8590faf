// SPDX-License-Identifier: Apache-2.0
// The functions of Windows that a program calls without a provider; the program itself looks at what they return.
#include <catch2/catch.hpp>

#include "tests/ndapi/program/loaded_program.hpp"

TEST_CASE("program: memory, locks, threads, addresses, texts and clocks are Windows'") {
    FakeHost host;
    LoadedProgram program("calls", host);
    CHECK(program.run() == 0);  // otherwise the line of clients/calls.cpp
    CHECK(host.printed.at(1) == "out 5\n");
    CHECK(host.printed.at(2) == "err\xC3\xA9\n");
}
