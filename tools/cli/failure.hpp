// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/config/problems.hpp"
#include "tools/cli/exit_code.hpp"

namespace ndsim::cli {

// A file or stdout could not be written: which one, and why.
class OutputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The command line asks for something impossible.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Ctrl-C came before there were results to keep, or all that a command needs.
class Interrupted : public std::runtime_error {
public:
    explicit Interrupted(const char* message = "interrupted; nothing was run") : std::runtime_error(message) {}
};

// A run in a process of its own has broken off, for the reason that it has told itself.
class BrokenRun : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Failure: why the command failed, in words for the user.
struct Failure {
    ExitCode exit{};
    std::string message;
    std::vector<Problem> problems{};  // of a scenario
};

// The failure of an exception. SystemC passes on its own reports only: one thrown in a process is a text in one.
[[nodiscard]] Failure failure_of(const std::exception& error);

// Prints the failure: to stderr, or as an envelope on stdout.
void tell(const Failure& failure, bool json);

}  // namespace ndsim::cli
