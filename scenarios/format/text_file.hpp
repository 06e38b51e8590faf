// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim {

// What the file holds. Throws ConfigError if it cannot be read, is a directory, or holds nothing.
[[nodiscard]] std::string read_file(const std::string& path);

}  // namespace ndsim
