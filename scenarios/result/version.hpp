// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ndsim {

// The version of ndsim, such as "0.1.0".
[[nodiscard]] std::string_view version();

}  // namespace ndsim
