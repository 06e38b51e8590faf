// SPDX-License-Identifier: Apache-2.0
#include "tools/prove/raised_limit.hpp"

#include <algorithm>
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
    std::optional<Amount> amount = amount_in(value);
    if (!amount) {
        return {};
    }
    if (!amount->quantity) {
        return raised_limit_count(parameter, amount->value);
    }
    // A time is a duration: less of it is better.
    amount->value = amount->quantity == Quantity::time ? (2 * amount->value + 2) / 3 : half_more(amount->value);
    return to_text(*amount);
}

}  // namespace ndsim::prove
