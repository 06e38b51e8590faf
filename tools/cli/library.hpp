// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim::cli {

// The file that stands behind a name on the command line: the name itself if there is such a file, or else the scenario
// of that name in the library that was installed with the command, with or without ".json". A name with a slash is
// always a path. What is found nowhere is returned as it is.
[[nodiscard]] std::string scenario_file(const std::string& name);

}  // namespace ndsim::cli
