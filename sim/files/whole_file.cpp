// SPDX-License-Identifier: Apache-2.0
#include "sim/files/whole_file.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace ndsim {

namespace fs = std::filesystem;

namespace {

constexpr int kMostLinks = 40;  // as many as Linux follows

bool is_replaceable(const fs::path& path) {
    std::error_code ignored;
    const fs::file_type type = fs::status(path, ignored).type();
    return type == fs::file_type::regular || type == fs::file_type::not_found;
}

int replace(const std::string& path, std::string_view text) {
    std::error_code error;
    const fs::file_status old = fs::status(path, error);
    const std::string part = path + ".part";
    fs::remove(part, error);
    int why = write_through(part, text, fs::exists(old) ? std::optional(old.permissions()) : std::nullopt);
    if (why == 0) {
        fs::rename(part, path, error);
        why = error.value();
    }
    if (why != 0) {
        fs::remove(part, error);
    }
    return why;
}

}  // namespace

int write_through(const std::string& path, std::string_view text, std::optional<fs::perms> mode) {
    errno = 0;
    std::FILE* const file = std::fopen(path.c_str(), "w");
    if (file == nullptr) {
        return errno;
    }
    if (mode) {  // only a wish: some file systems have no modes
        static_cast<void>(::fchmod(::fileno(file), static_cast<mode_t>(*mode & fs::perms::all)));
    }
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const int why = errno;
    if (std::fclose(file) != 0 && written) {
        return errno;
    }
    return written ? 0 : why;
}

std::optional<std::string> replaceable_file(const std::string& path) {
    if (!is_replaceable(path)) {
        return std::nullopt;
    }
    fs::path end = path;
    std::error_code error;
    for (int links = 0; fs::is_symlink(fs::symlink_status(end, error)); ++links) {
        // A link to a descriptor, such as /dev/stdout, names what is open, and not a place.
        const bool is_place =
            !fs::canonical(end.parent_path().empty() ? "." : end.parent_path(), error).native().starts_with("/proc/");
        const fs::path next = fs::read_symlink(end, error);
        if (!is_place || error || links == kMostLinks) {
            return std::nullopt;
        }
        end = end.parent_path() / next;  // an absolute one stands alone
    }
    return is_replaceable(end) ? std::optional(end.string()) : std::nullopt;
}

std::optional<std::string> write_whole_file(const std::string& path, std::string_view text) {
    const std::optional<std::string> file = replaceable_file(path);
    const int why = file ? replace(*file, text) : write_through(path, text, std::nullopt);
    return why == 0 ? std::nullopt : std::optional(std::generic_category().message(why));
}

}  // namespace ndsim
