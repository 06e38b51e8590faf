// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim {

// What the file holds. Throws ConfigError if it cannot be read or is a directory.
[[nodiscard]] std::string read_file(const std::string& path);

}  // namespace ndsim
