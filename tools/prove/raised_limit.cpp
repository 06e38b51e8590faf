// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/raised_limit.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "sim/config/quantity.hpp"

namespace ndsim::prove {

namespace {

std::uint64_t half_more(std::uint64_t value) {
    return value + (value + 1) / 2;
}

// Each PCIe generation is twice as fast as the previous one, and a link has a power of two of lanes. A completion for
// fewer requests returns their slots sooner.
std::string raised_limit_count(std::string_view parameter, std::uint64_t value) {
    if (parameter.ends_with(".generation")) {
        return std::to_string(value + 1);
    }
    if (parameter.ends_with(".pcie.width")) {
        return std::to_string(2 * value);
    }
    if (parameter.ends_with(".timeout_code")) {  // half the time; 0 would be for ever
        return std::to_string(value < 2 ? value : value - 1);
    }
    if (parameter.ends_with(".signal_every")) {
        return std::to_string(std::max<std::uint64_t>(1, 2 * value / 3));
    }
    return std::to_string(half_more(value));
}

}  // namespace

std::string raised_limit(std::string_view parameter, std::string_view value) {
    constexpr std::array kQuantities{Quantity::time,      Quantity::size,     Quantity::rate,
                                     Quantity::frequency, Quantity::fraction, Quantity::length};
    std::uint64_t count = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
    if (error == std::errc{} && end == value.data() + value.size()) {
        return raised_limit_count(parameter, count);
    }
    for (const Quantity quantity : kQuantities) {
        if (const std::optional<std::uint64_t> units = parse(quantity, value).value) {
            // A time is a duration: less of it is better.
            return to_text(quantity, quantity == Quantity::time ? (2 * *units + 2) / 3 : half_more(*units));
        }
    }
    return {};
}

}  // namespace ndsim::prove
