// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>

#include "sim/base/units.hpp"

namespace ndsim {

// A larger file is a mistake, or has no end, as that of a device.
inline constexpr Bytes kLargestFile = 256_MiB;

// What the file holds. Throws ConfigError if it cannot be read, is a directory or is larger than any; `if_missing` is
// said if it cannot be opened.
[[nodiscard]] std::string read_file(const std::string& path, const std::string& if_missing = {});

// A file for whoever reads it bit by bit. Throws ConfigError if it cannot be opened, is no regular file or is larger
// than any.
[[nodiscard]] std::ifstream open_regular(const std::string& path);

}  // namespace ndsim
