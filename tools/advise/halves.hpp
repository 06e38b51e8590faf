// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ndsim::advise {

// A value as a scenario has it, half and twice as large: how far an estimate may be off.
struct Halves {
    std::string half;
    std::string twice;
};
// None of what is no number, or is 0.
[[nodiscard]] std::optional<Halves> half_and_twice(std::string_view value);

}  // namespace ndsim::advise
