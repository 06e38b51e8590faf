// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ndsim::cli {

// The range of a value's error: low and high in percent of it, and why. A value of 0 has none, or the high end
// `above_zero`.
struct Range {
    std::string_view parameter;  // nic.rx_pipe, link.fec
    std::uint32_t low = 50;
    std::uint32_t high = 200;
    std::string_view reason = "no range is known: half and twice";
    std::string_view above_zero = {};
};
[[nodiscard]] const Range& range_of(std::string_view parameter);

}  // namespace ndsim::cli
