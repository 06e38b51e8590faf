// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim {

// The JSON Schema (draft 2020-12) of scenario files, for editors. It knows the form of each value; the loader has the
// rules between values.
[[nodiscard]] std::string schema();

}  // namespace ndsim
