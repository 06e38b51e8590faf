// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/quantity.hpp"

namespace ndsim::format {

// Reads the times of a trace: one per line, such as "12.5 us", from the start of the generator on and never going back.
// Empty lines, and lines that begin with '#', do not count. An error begins with its line: "2: ...".
[[nodiscard]] Parsed<std::vector<Picoseconds>> read_post_times(std::istream& text);

// The path of a trace that a scenario file names, relative to that file's folder.
[[nodiscard]] std::string trace_path(const std::string& scenario_file, const std::string& trace);

}  // namespace ndsim::format
