// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/run_folder.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "sim/files/whole_file.hpp"
#include "tools/cli/failure.hpp"

namespace ndsim::cli {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw OutputError(path + ": " + why + "; give another folder with --out");
}

// The first part of the path that exists and is no folder.
fs::path obstacle(const fs::path& path) {
    fs::path part;
    for (const fs::path& step : path) {
        part /= step;
        std::error_code error;
        if (fs::exists(part, error) && !fs::is_directory(part, error)) {
            return part;
        }
    }
    return {};
}

// The folder, which exists now.
std::string made(std::string path) {
    std::error_code error;
    if (const fs::path file = obstacle(path); !file.empty()) {
        refuse(file.string(), "is not a folder");
    }
    fs::create_directories(path, error);
    if (error) {
        refuse(path, "cannot be created: " + error.message());
    }
    return path;
}

}  // namespace

RunFolder::RunFolder(std::string path, std::span<const std::string_view> outputs)
    : path_(made(std::move(path))), lock_(path_) {
    const bool is_ours = has_outputs_of_ndsim(path_);
    std::error_code error;
    for (const std::string_view name : outputs) {
        const fs::path file = fs::path(path_) / name;
        if (is_ours) {
            fs::remove(file, error);
            if (error) {
                refuse(file.string(), "is from an earlier run and cannot be removed: " + error.message());
            }
        } else if (fs::is_directory(file, error)) {
            refuse(file.string(), "is a folder");
        }
    }
    const std::string probe = (fs::path(path_) / ".ndsim").string();
    std::FILE* const file = std::fopen(probe.c_str(), "w");
    if (file == nullptr) {
        refuse(path_, "cannot be written to: " + std::generic_category().message(errno));
    }
    static_cast<void>(std::fclose(file));
    fs::remove(probe, error);
}

void write_file(const std::string& path, std::string_view text) {
    if (const auto why = write_whole_file(path, text)) {
        throw OutputError(path + ": " + *why);
    }
}

void RunFolder::write(std::string_view name, std::string_view text) const {
    write_file((fs::path(path_) / name).string(), text);
}

}  // namespace ndsim::cli
