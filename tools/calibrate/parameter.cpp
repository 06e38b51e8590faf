// SPDX-License-Identifier: Apache-2.0
#include "tools/calibrate/parameter.hpp"

#include <algorithm>
#include <cmath>

namespace ndsim::calibrate {

namespace {

std::uint64_t number_of(const sensitivity::Factor& factor, const std::string& text) {
    return factor.quantity ? *parse(*factor.quantity, text).value : std::stoull(text);
}

// Rounds to four digits.
std::uint64_t rounded_value(double value) {
    double step = 1;
    while (value / step >= 10'000) {
        step *= 10;
    }
    return static_cast<std::uint64_t>(std::round(value / step) * step);
}

}  // namespace

bool has_range(const sensitivity::Factor& factor) {
    return number_of(factor, factor.value) != 0 && (factor.low.has_value() || factor.high.has_value());
}

Parameter::Parameter(sensitivity::Factor factor)
    : factor_(std::move(factor)),
      low_(std::max<std::uint64_t>(1, number_of(factor_, factor_.low.value_or(factor_.value)))),
      high_(number_of(factor_, factor_.high.value_or(factor_.value))),
      begin_(std::log(static_cast<double>(number_of(factor_, factor_.value)) / static_cast<double>(low_)) /
             std::log(static_cast<double>(high_) / static_cast<double>(low_))) {}

std::string Parameter::at(double place) const {
    if (place == begin_) {
        return factor_.value;
    }
    const double value =
        static_cast<double>(low_) * std::pow(static_cast<double>(high_) / static_cast<double>(low_), place);
    const std::uint64_t whole = std::clamp(rounded_value(value), low_, high_);
    return to_text(Amount{whole, factor_.quantity});
}

std::vector<std::string> Parameter::overrides_at(double place) const {
    std::vector<std::string> overrides;
    for (const std::string& path : factor_.paths) {
        overrides.push_back(path + "=" + at(place));
    }
    return overrides;
}

}  // namespace ndsim::calibrate
