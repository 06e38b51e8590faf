// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim::cli {

// The file that stands behind a name on the command line: the name itself if there is such a file, or else the scenario
// of that name in the library that was installed with the command, with or without ".json". A name with a slash is
// always a path. What is found nowhere is returned as it is.
[[nodiscard]] std::string scenario_file(const std::string& name);

// What may be meant by the name of a file that is not there: the scenario of the library with the nearest name, or "".
[[nodiscard]] std::string library_hint(const std::string& name);

}  // namespace ndsim::cli
