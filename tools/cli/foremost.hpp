// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ndsim::cli {

// Rows that a table of a run shows at most. A scenario may have hundreds of hosts.
inline constexpr std::size_t kMostRows = 32;

// The places of the `most` largest of these values, in ascending order; the first ones of equal values.
[[nodiscard]] std::vector<std::size_t> foremost(const std::vector<std::uint64_t>& values, std::size_t most);

// "  and 68 faster ones, in result.json", below a table; nothing if it shows all.
[[nodiscard]] std::string others_below(std::size_t all, std::size_t shown, std::string_view what);

}  // namespace ndsim::cli
