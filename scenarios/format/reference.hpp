// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim {

// Tables of everything that a scenario file may hold, in markdown: the generated part of docs/scenario-reference.md.
[[nodiscard]] std::string reference();

}  // namespace ndsim
