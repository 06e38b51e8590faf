// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "ndapi/windows/program/entry.hpp"

namespace ndsim {

// A program file that cannot be used; what() names the file and the reason.
class ProgramFileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// ProgramFile: a program for Windows, built as a shared object with ndsim::program in it. Each has its own copy, so
// that two of the same file have two sets of variables. It stays loaded: the run's end may find its threads anywhere in
// it.
class ProgramFile {
public:
    // The program's file and arguments. ProgramFileError.
    ProgramFile(std::string path, std::vector<std::string> arguments);

    // Runs it from start to end in the calling thread; returns its exit code.
    int run(ProgramHost& host) const;
    [[nodiscard]] const std::string& path() const { return path_; }
    // Without the program's own name.
    [[nodiscard]] std::vector<std::string> arguments() const { return {arguments_.begin() + 1, arguments_.end()}; }

private:
    std::string path_;
    std::vector<std::string> arguments_;
    ProgramEntry entry_;
};

}  // namespace ndsim
