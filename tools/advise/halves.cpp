// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/halves.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "sim/config/quantity.hpp"

namespace ndsim::advise {

std::optional<Halves> half_and_twice(std::string_view value) {
    std::uint64_t count = 0;
    const char* const end = value.data() + value.size();
    if (!value.empty() && std::from_chars(value.data(), end, count).ptr == end) {
        return count < 2 ? std::nullopt : std::optional(Halves{std::to_string(count / 2), std::to_string(2 * count)});
    }
    for (const Quantity quantity :
         {Quantity::time, Quantity::size, Quantity::rate, Quantity::frequency, Quantity::fraction, Quantity::length}) {
        if (const auto number = parse(quantity, value); number.value) {
            return *number.value < 2 ? std::nullopt
                                     : std::optional(Halves{to_text(quantity, *number.value / 2),
                                                            to_text(quantity, 2 * *number.value)});
        }
    }
    return std::nullopt;
}

}  // namespace ndsim::advise
