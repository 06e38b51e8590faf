// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/quantity.hpp"

namespace ndsim::report {

// The unit of shown figures of one quantity: its size in smallest units, and its name.
struct Unit {
    double of = 1;
    std::string name;  // may be empty

    [[nodiscard]] double operator()(std::uint64_t value) const { return static_cast<double>(value) / of; }
    [[nodiscard]] std::string in_brackets() const { return name.empty() ? "" : " [" + name + "]"; }
};

// A suitable unit for figures up to `largest`.
[[nodiscard]] Unit unit_for(std::optional<Quantity> quantity, std::uint64_t largest);

// Values for the ticks of an axis: about `count` round ones within [low, high].
[[nodiscard]] std::vector<double> round_ticks(double low, double high, std::size_t count);
// The fewest decimals that distinguish a tick from the others.
[[nodiscard]] std::string tick_text(double value, double step);
// A figure with four significant digits, without meaningless zeros.
[[nodiscard]] std::string short_number(double value);

}  // namespace ndsim::report
