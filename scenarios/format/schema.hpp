// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ndsim {

// The JSON Schema (draft 2020-12) of scenario files, for editors. It knows what each value may be by itself; rules
// between values are the loader's.
[[nodiscard]] std::string schema();

}  // namespace ndsim
