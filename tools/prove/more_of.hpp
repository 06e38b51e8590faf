// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ndsim::prove {

// The value of a limit's parameter with which the limit is weaker: half as much again, or where less is better two
// thirds. Empty if the value is no number.
[[nodiscard]] std::string more_of(std::string_view parameter, std::string_view value);

}  // namespace ndsim::prove
