// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/config/problems.hpp"
#include "tools/cli/exit_code.hpp"

namespace ndsim::cli {

// A file or stdout could not be written: says which one and why.
class OutputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The command line asks for what cannot be; says what.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Ctrl-C came before there was anything to keep.
class Interrupted : public std::runtime_error {
public:
    Interrupted() : std::runtime_error("interrupted; nothing was run") {}
};

// Failure: why the command could not do what it was asked for, as the user is told.
struct Failure {
    ExitCode exit{};
    std::string message;
    std::vector<Problem> problems{};  // of a scenario
};

// What an exception means. SystemC hands on its own reports only: what a process threw is a text in one of these.
[[nodiscard]] Failure failure_of(const std::exception& error);

// Tells it: to stderr, or as an envelope on stdout.
void tell(const Failure& failure, bool json);

}  // namespace ndsim::cli
