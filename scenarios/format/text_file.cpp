// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/text_file.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "sim/config/problems.hpp"

namespace ndsim {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why, const std::string& hint = {}) {
    Problems problems(path);
    problems.add(Position{}, {}, why, hint);
    throw ConfigError(problems);
}

}  // namespace

std::string read_file(const std::string& path, const std::string& if_missing) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::is_directory(status)) {
        refuse(path, "is a directory", "a scenario is one file");
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        refuse(path, "cannot be opened: " + std::generic_category().message(errno), if_missing);
    }
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) {
        refuse(path, "cannot be read: " + std::generic_category().message(errno));
    }
    return text;
}

}  // namespace ndsim
