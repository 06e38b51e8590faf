// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/quantity.hpp"

namespace ndsim::report {

// The unit in which figures of one quantity are shown: how many of the smallest units one is, and its name.
struct Unit {
    double of = 1;
    std::string name;  // may be empty

    [[nodiscard]] double operator()(std::uint64_t value) const { return static_cast<double>(value) / of; }
    [[nodiscard]] std::string in_brackets() const { return name.empty() ? "" : " [" + name + "]"; }
};

// The unit that suits figures of which the largest is this one.
[[nodiscard]] Unit unit_for(std::optional<Quantity> quantity, std::uint64_t largest);

// Values for the ticks of an axis: some `count` round ones within [low, high]; of a logarithmic axis 1, 2 and 5 times
// powers of ten.
[[nodiscard]] std::vector<double> round_ticks(double low, double high, std::size_t count);
[[nodiscard]] std::vector<double> log_ticks(double low, double high);
// As few decimals as tell a tick from the others.
[[nodiscard]] std::string tick_text(double value, double step);
// A figure with four significant digits, and without zeros that say nothing.
[[nodiscard]] std::string short_number(double value);

}  // namespace ndsim::report
