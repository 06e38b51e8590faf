// SPDX-License-Identifier: Apache-2.0
#include "tools/report/map_colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace ndsim::report {

namespace {

constexpr std::array<double, 3> kLow{247, 251, 255};
constexpr std::array<double, 3> kHigh{8, 64, 129};

// WCAG 2's relative luminance.
double luminance(std::string_view colour) {
    constexpr std::array<double, 3> kWeights{0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (std::size_t i = 0; i < kWeights.size(); ++i) {
        int value = 0;
        const char* const digits = colour.data() + 1 + 2 * i;
        std::from_chars(digits, digits + 2, value, 16);
        const double share = value / 255.0;
        sum += kWeights.at(i) * (share <= 0.03928 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4));
    }
    return sum;
}

}  // namespace

std::string map_colour(double share) {
    const auto mixed = [share](std::size_t i) { return std::lround(kLow.at(i) + share * (kHigh.at(i) - kLow.at(i))); };
    return fmt::format("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2));
}

double contrast(std::string_view one, std::string_view other) {
    const auto [dark, light] = std::minmax({luminance(one), luminance(other)});
    return (light + 0.05) / (dark + 0.05);
}

std::string_view ink_on(std::string_view ground) {
    // Not the colours of svg.hpp, which a dark page exchanges. Pure black is needed: white and #111 on the worst grey
    // reach 4.3 only.
    constexpr std::string_view kBlack = "#000000";
    constexpr std::string_view kWhite = "#ffffff";
    return contrast(kBlack, ground) >= contrast(kWhite, ground) ? kBlack : kWhite;
}

}  // namespace ndsim::report
