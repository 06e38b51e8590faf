// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim {

// What the file holds. Throws ConfigError if it cannot be read or is a directory; `if_missing` is said if it cannot be
// opened.
[[nodiscard]] std::string read_file(const std::string& path, const std::string& if_missing = {});

}  // namespace ndsim
