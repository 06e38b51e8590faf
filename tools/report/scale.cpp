// SPDX-License-Identifier: Apache-2.0
#include "tools/report/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace ndsim::report {

namespace {

// A unit of a quantity.
struct NamedUnit {
    double of;
    std::string_view name;
};
constexpr std::array kTimes{NamedUnit{1, "ps"}, NamedUnit{1e3, "ns"}, NamedUnit{1e6, "us"}, NamedUnit{1e9, "ms"},
                            NamedUnit{1e12, "s"}};
constexpr std::array kSizes{NamedUnit{1, "B"}, NamedUnit{1024, "KiB"}, NamedUnit{1024.0 * 1024, "MiB"},
                            NamedUnit{1024.0 * 1024 * 1024, "GiB"}};
constexpr std::array kRates{NamedUnit{1, "bps"}, NamedUnit{1e3, "kbps"}, NamedUnit{1e6, "Mbps"},
                            NamedUnit{1e9, "Gbps"}};
constexpr std::array kFrequencies{NamedUnit{1, "/s"}, NamedUnit{1e3, "k/s"}, NamedUnit{1e6, "M/s"}};
constexpr std::array kFractions{NamedUnit{1e4, "%"}};
constexpr std::array kLengths{NamedUnit{1, "mm"}, NamedUnit{1e3, "m"}};
constexpr std::array kCounts{NamedUnit{1, ""}};

std::span<const NamedUnit> units_of(std::optional<Quantity> quantity) {
    if (!quantity) {
        return kCounts;
    }
    switch (*quantity) {
        case Quantity::time:
            return kTimes;
        case Quantity::size:
            return kSizes;
        case Quantity::rate:
            return kRates;
        case Quantity::frequency:
            return kFrequencies;
        case Quantity::fraction:
            return kFractions;
        case Quantity::length:
            return kLengths;
    }
    return kCounts;
}

}  // namespace

Unit unit_for(std::optional<Quantity> quantity, std::uint64_t largest) {
    const std::span<const NamedUnit> units = units_of(quantity);
    const NamedUnit* chosen = &units.front();
    for (const NamedUnit& unit : units) {
        if (static_cast<double>(largest) >= unit.of) {
            chosen = &unit;
        }
    }
    return {chosen->of, std::string(chosen->name)};
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
