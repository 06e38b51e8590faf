// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim::cli {

// The file of a name on the command line: the name itself if there is such a file, otherwise the scenario of that name
// in the installed library, with or without ".json". A name with a slash is always a path. An unknown name is returned
// as it is.
[[nodiscard]] std::string scenario_file(const std::string& name);

// A suggestion for the name of a missing file: the scenario of the library with the nearest name, or "".
[[nodiscard]] std::string library_hint(const std::string& name);

}  // namespace ndsim::cli
