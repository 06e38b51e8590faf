// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ndsim {

// Writes a whole file, or leaves the old one. Returns the reason if it cannot be written.
[[nodiscard]] std::optional<std::string> write_whole_file(const std::string& path, std::string_view text);

}  // namespace ndsim
