// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/text_file.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "sim/config/problems.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why, const std::string& hint = {}) {
    Problems problems(path);
    problems.add(Position{}, {}, why, hint);
    throw ConfigError(problems);
}

std::ifstream open_file(const std::string& path, const std::string& if_missing) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        refuse(path, "cannot be opened: " + std::generic_category().message(errno), if_missing);
    }
    return file;
}

[[noreturn]] void refuse_size(const std::string& path) {
    refuse(path, "is larger than " + to_text(kLargestFile) + ", the most that is read");
}

}  // namespace

std::string read_file(const std::string& path, const std::string& if_missing) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        refuse(path, "is a directory", "a scenario is one file");
    }
    std::ifstream file = open_file(path, if_missing);
    std::string text;
    std::array<char, 1U << 16U> piece{};
    while (file.read(piece.data(), piece.size()) || file.gcount() > 0) {
        text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
        if (text.size() > kLargestFile.count) {
            refuse_size(path);
        }
    }
    if (file.bad()) {
        refuse(path, "cannot be read: " + std::generic_category().message(errno));
    }
    return text;
}

std::ifstream open_regular(const std::string& path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        refuse(path, "is not a regular file");
    }
    std::ifstream file = open_file(path, {});
    if (std::filesystem::file_size(path, error) > kLargestFile.count) {
        refuse_size(path);
    }
    return file;
}

}  // namespace ndsim
