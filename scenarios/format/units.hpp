// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "sim/config/quantity.hpp"

namespace ndsim::format {

// The units of each quantity, as a regular expression for the schema and as a list for the reference.
// sim/config/quantity.cpp has the readable units; a test keeps the two equal.
struct UnitNames {
    Quantity quantity{};
    std::string_view names;  // separated by '|'
};
inline constexpr std::array kUnitNames{
    UnitNames{Quantity::time, "ps|ns|us|ms|s"},
    UnitNames{Quantity::size, "B|KiB|MiB|GiB|TiB"},
    UnitNames{Quantity::rate, "bps|kbps|Mbps|Gbps|Tbps"},
    UnitNames{Quantity::frequency, "/s|k/s|M/s|G/s"},
    UnitNames{Quantity::fraction, "ppm|%"},
    UnitNames{Quantity::length, "mm|m|km"},
};

}  // namespace ndsim::format
