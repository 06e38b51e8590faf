// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ndsim::advise {

// A value at both ends of its range.
struct RangeEnds {
    std::string low;
    std::string high;
};

// The ends for a parameter such as hosts.A.nic.rx_pipe, with a value as --set takes it (a count, or a number and a
// unit), by the parameter's range (tools/cli/ranges.hpp). None for words, and where an end is the value itself.
[[nodiscard]] std::optional<RangeEnds> ends_of(std::string_view parameter, std::string_view value);

}  // namespace ndsim::advise
