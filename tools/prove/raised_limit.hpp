// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ndsim::prove {

// The value of a limit's parameter that weakens the limit: half as much again, or two thirds where less is better.
// Empty if the value is no number.
[[nodiscard]] std::string raised_limit(std::string_view parameter, std::string_view value);

}  // namespace ndsim::prove
