// SPDX-License-Identifier: Apache-2.0
#include "tools/report/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace ndsim::report {

Unit unit_for(std::optional<Quantity> quantity, std::uint64_t largest) {
    if (!quantity) {
        return {};
    }
    const std::span<const QuantityUnit> units = units_of(*quantity);
    if (quantity == Quantity::fraction) {  // nobody reads parts per million
        return {static_cast<double>(units.back().scale), std::string(units.back().name)};
    }
    const QuantityUnit* chosen = &units.front();
    for (const QuantityUnit& unit : units) {
        if (largest >= unit.scale) {
            chosen = &unit;
        }
    }
    return {static_cast<double>(chosen->scale), std::string(chosen->name)};
}

std::vector<double> round_ticks(double low, double high, std::size_t count) {
    if (!(high > low)) {
        return {low};
    }
    const double rough = (high - low) / static_cast<double>(std::max<std::size_t>(count, 1));
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough * 0.999) {
            step = factor * power;
            break;
        }
    }
    std::vector<double> ticks;
    for (double n = std::ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n += 1) {
        ticks.push_back(n * step);
    }
    return ticks;
}

std::string tick_text(double value, double step) {
    const int decimals = step >= 1 || step <= 0 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
    // A value near zero has no sign.
    return fmt::format("{:.{}f}", std::abs(value) < step * 1e-6 ? 0.0 : value, decimals);
}

std::string short_number(double value) {
    constexpr int kDigits = 4;
    const double size = std::abs(value);
    const int before = size < 1 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
    std::string text = fmt::format("{:.{}f}", value, std::max(0, kDigits - before));
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        text.erase(text.find_last_not_of('.') + 1);
    }
    return text;
}

}  // namespace ndsim::report
