// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ndsim {

// The regular file at the end of a path's symbolic links, which another file may replace; it need not exist. None: the
// path ends at something else, such as a device, a pipe or a descriptor of a process.
[[nodiscard]] std::optional<std::string> replaceable_file(const std::string& path);

// Writes to what the path names: 0, or errno.
[[nodiscard]] int write_through(const std::string& path, std::string_view text,
                                std::optional<std::filesystem::perms> mode = std::nullopt);

// Writes a whole file, or leaves the old one and its mode. What cannot be replaced is written through. Returns the
// reason if it cannot be written.
[[nodiscard]] std::optional<std::string> write_whole_file(const std::string& path, std::string_view text);

}  // namespace ndsim
