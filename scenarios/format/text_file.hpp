// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>

#include "sim/base/units.hpp"

namespace ndsim {

// A larger file is a mistake, or endless, like a device.
inline constexpr Bytes kLargestFile = 256_MiB;

// The contents of the file. Throws ConfigError if it cannot be read, is a directory or is too large; `if_missing` is
// the message if it cannot be opened.
[[nodiscard]] std::string read_file(const std::string& path, const std::string& if_missing = {});

// A file for incremental reading. Throws ConfigError if it cannot be opened, is no regular file or is too large.
[[nodiscard]] std::ifstream open_regular(const std::string& path);

}  // namespace ndsim
