// SPDX-License-Identifier: Apache-2.0
#include "sim/files/whole_file.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace ndsim {

std::optional<std::string> write_whole_file(const std::string& path, std::string_view text) {
    const std::string part = path + ".part";
    std::error_code error;
    errno = 0;
    if (std::FILE* const file = std::fopen(part.c_str(), "w")) {
        const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
        const int why = errno;
        if (std::fclose(file) == 0 && written) {
            std::filesystem::rename(part, path, error);
            if (!error) {
                return std::nullopt;
            }
            errno = error.value();
        } else if (!written) {
            errno = why;
        }
    }
    std::string why = std::generic_category().message(errno);
    std::filesystem::remove(part, error);
    return why;
}

}  // namespace ndsim
