// SPDX-License-Identifier: Apache-2.0
// Files of Windows' functions are those of the folder in which the simulation runs.
#include <filesystem>

#include <unistd.h>

#include "tests/ndapi/windows/program/loaded_program.hpp"
#include "tests/support/catch.hpp"

namespace files_test {

TEST_CASE("program: files of the run's folder are opened, read, written and closed as Windows does") {
    const auto folder = std::filesystem::temp_directory_path() / ("ndsim_files_" + std::to_string(::getpid()));
    std::filesystem::create_directory(folder);
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder);
    FakeHost host;
    LoadedProgram program("files", host);
    CHECK(program.run() == 0);  // otherwise the line of clients/files.cpp
    CHECK(std::filesystem::is_empty(folder));
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
}

TEST_CASE("program: names that sources of the field have do what Windows' do") {
    FakeHost host;
    LoadedProgram program("names", host);
    CHECK(program.run() == 0);  // otherwise the line of clients/names.cpp
}

}  // namespace files_test
