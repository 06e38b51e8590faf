// SPDX-License-Identifier: Apache-2.0
// How programs begin and end (win.md 2), and the client programs that use the headers as Windows sources do.
#include <unistd.h>

#include <filesystem>

#include "tests/ndapi/windows/program/loaded_program.hpp"
#include "tests/support/catch.hpp"

namespace entry_test {

// Static objects are destroyed in reverse order, after what was registered later.
const std::string kWoundUp = "at exit\ndestroyed 2\ndestroyed 1\n";

struct Ended {
    int code = 0;
    std::array<std::string, 3> printed;
};

Ended ended(const std::vector<std::string>& arguments) {
    FakeHost host;
    LoadedProgram program("ending", host);
    const int code = program.run(arguments);
    return {code, host.printed};
}

TEST_CASE("entry: a return from main runs exit handlers and static destructors, and only once", "[own_libc]") {
    const Ended program = ended({});
    CHECK(program.code == 6);
    CHECK(program.printed[1] == "run 1\n" + kWoundUp);
}

TEST_CASE("entry: exit ends the program with its whole code", "[own_libc]") {
    const Ended program = ended({"exit"});
    CHECK(program.code == 0x12345678);
    CHECK(program.printed[1] == "run 1\n" + kWoundUp);
}

TEST_CASE("entry: quick_exit runs the handlers for it alone, the newest first", "[own_libc]") {
    const Ended program = ended({"quick_exit"});
    CHECK(program.code == 9);
    CHECK(program.printed[1] == "run 1\nfirst at quick exit\nlast at quick exit\n");
}

TEST_CASE("entry: ExitProcess ends the program, too", "[own_libc]") {
    CHECK(ended({"ExitProcess"}).code == 5);
}

TEST_CASE("entry: exit in a thread ends the whole program", "[own_libc]") {
    const Ended program = ended({"thread"});
    CHECK(program.code == 77);
    CHECK(program.printed[1] == "run 1\n" + kWoundUp);
}

TEST_CASE("entry: _exit ends it without handlers", "[own_libc]") {
    const Ended program = ended({"_exit"});
    CHECK(program.code == 4);
    CHECK(program.printed[1] == "run 1\n");
}

TEST_CASE("entry: abort says so and ends the program with 3", "[own_libc]") {
    const Ended program = ended({"abort"});
    CHECK(program.code == 3);
    CHECK(program.printed[1] == "run 1\n");
    CHECK(program.printed[2] == "abnormal program termination\n");
}

TEST_CASE("entry: an exception that leaves main ends the program as abort does, and is told", "[own_libc]") {
    const Ended program = ended({"exception"});
    CHECK(program.code == 3);
    CHECK(program.printed[1] == "run 1\n");  // no exit handler
    CHECK(program.printed[2] == "uncaught exception: no adapter\nabnormal program termination\n");
    CHECK(ended({"number"}).printed[2] ==
          "uncaught exception, which is no std::exception\nabnormal program termination\n");
}

TEST_CASE("entry: an exception that leaves a thread ends the program, too", "[own_libc]") {
    const Ended program = ended({"exception in a thread"});
    CHECK(program.code == 3);
    CHECK(program.printed[2] == "uncaught exception: no adapter\nabnormal program termination\n");
}

TEST_CASE("entry: set_terminate's handler decides how an uncaught exception ends the program", "[own_libc]") {
    const Ended program = ended({"set_terminate"});
    CHECK(program.code == 8);
    CHECK(program.printed[1] == "run 1\nterminated\n");
    CHECK(program.printed[2].empty());
}

TEST_CASE("entry: set_terminate returns the handler before it, and one that returns is followed by abort",
          "[own_libc]") {
    const Ended program = ended({"set_terminate twice"});
    CHECK(program.code == 3);
    CHECK(program.printed[1] == "run 1\n1 1\nreturns\n");
    CHECK(program.printed[2] == "abnormal program termination\n");
}

TEST_CASE("entry: a failed assertion ends the program with 3", "[own_libc]") {
    const Ended program = ended({"assert"});
    CHECK(program.code == 3);
    CHECK(program.printed[2].starts_with("Assertion failed: argc == 0, file "));
}

TEST_CASE("entry: two copies of a program have variables and hosts of their own", "[own_libc]") {
    const std::string copy = std::filesystem::temp_directory_path() / ("ndsim_copy_" + std::to_string(::getpid()));
    std::filesystem::copy_file(LoadedProgram::path_of("ending"), copy);
    FakeHost host;
    FakeHost other_host;
    LoadedProgram program("ending", host);
    LoadedProgram other(copy, other_host);
    std::filesystem::remove(copy);
    CHECK(program.run() == 6);
    CHECK(other.run() == 6);
    CHECK(host.printed[1] == "run 1\n" + kWoundUp);
    CHECK(other_host.printed[1] == "run 1\n" + kWoundUp);
}

TEST_CASE("clients: a wide main, overloads by width, derived requests and interfaces in C++") {
    FakeHost host;
    LoadedProgram program("mixed", host);
    CHECK(program.run({"-q", "12", "-n", "7", "10.0.0.2:5000"}) == 0);
    CHECK(host.printed[1] ==
          "-q 12\n"
          "-n 7\n"
          "records 3 4\n"
          "min 3 max 5 1\n"
          "kinds DWORD HRESULT DWORD UINT64\n"
          "thread 1 42 7\n"
          "stock 35 wide\n"  // 5 + 10 + 20
          "gone\n"
          "address 0a000002 port 5000\n");
    CHECK(host.printed[2].empty());
}

TEST_CASE("clients: an error of a call ends the program with its code") {
    FakeHost host;
    LoadedProgram program("mixed", host);
    CHECK(program.run({"nowhere"}) == 2);
    CHECK(host.printed[2] == "error 10022\n");  // WSAEINVAL
}

TEST_CASE("clients: a program in C that loads the provider", "[own_libc]") {
    FakeHost host;
    LoadedProgram program("in_c", host);
    CHECK(program.run({"last"}) == 0);
    CHECK(host.printed[1] ==
          "request 2 of last\n"
          "counter 42 of 5\n"
          "addresses 80000005 " +
              std::to_string(sizeof(OneAddress)) + " 1\n");  // ND_BUFFER_OVERFLOW
    CHECK(host.provider2.references == 0);
}

}  // namespace entry_test
