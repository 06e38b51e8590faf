// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ndsim::report {

// The cells of lines, separated by commas, and in double quotes where needed. None if a quote has no end.
[[nodiscard]] std::optional<std::vector<std::vector<std::string>>> parse_csv(std::string_view text);

}  // namespace ndsim::report
