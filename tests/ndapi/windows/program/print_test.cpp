// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/ndapi/windows/program/loaded_program.hpp"
#include "tests/support/catch.hpp"

namespace print_test {

TEST_CASE("print: narrow and wide output both appear, in their order") {
    FakeHost host;
    LoadedProgram program("printing", host);
    CHECK(program.run() == 0);
    CHECK(host.printed[1] == "narrow 1\nwide \xC3\xA4\nconstant\nc\nfputs\n_putws\n_putts\n");
    CHECK(host.printed[2] == "constant error\nerror 2\nperror: No such file or directory\ndone\n");
    CHECK(host.all_printed.starts_with(host.printed[1]));
}

TEST_CASE("print: what a program prints after freopen goes to the file") {
    const std::string path =
        std::filesystem::temp_directory_path() / ("ndsim_print_test_" + std::to_string(::getpid()));
    FakeHost host;
    LoadedProgram program("printing", host);
    CHECK(program.run({path}) == 0);
    CHECK(host.printed[1].ends_with("_putts\n"));
    CHECK(host.printed[2].ends_with("done\n"));

    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    CHECK(text == "to the file 1099511627776\nalso\nand after closing all\n");
    std::filesystem::remove(path);
}

}  // namespace print_test
