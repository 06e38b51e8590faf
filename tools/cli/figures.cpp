// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/base/histogram.hpp"
#include "sim/config/quantity.hpp"

namespace ndsim::cli {

namespace {

constexpr std::size_t kDigits = 4;

}  // namespace

std::string rounded(const std::string& exact) {
    const std::size_t point = exact.find('.');
    if (point == std::string::npos || exact.find_first_not_of("0123456789") != point) {
        return exact;
    }
    const std::size_t end = std::min(exact.find(' ', point), exact.size());
    const std::size_t decimals = point < kDigits ? kDigits - point : 0;
    if (end - point - 1 <= decimals) {
        return exact;
    }
    std::uint64_t digits = std::stoull(exact.substr(0, point) + exact.substr(point + 1, decimals));
    digits += exact[point + 1 + decimals] >= '5' ? 1 : 0;
    std::string number = decimal(digits, static_cast<unsigned>(decimals));
    if (decimals > 0) {
        number.erase(number.find_last_not_of('0') + 1);
        number.erase(number.find_last_not_of('.') + 1);
    }
    return number + exact.substr(end);
}

std::string figure(const Metric& metric) {
    return rounded(metric.text());
}

std::string figure(Picoseconds time) {
    return rounded(ndsim::to_text(time));
}

std::string microseconds(Picoseconds time) {
    constexpr std::int64_t kNanosecond = 1000;
    return decimal(static_cast<std::uint64_t>((time.count() + kNanosecond / 2) / kNanosecond), 3);
}

std::vector<std::uint64_t> rounded_to_sum(std::span<const std::uint64_t> values, std::uint64_t step) {
    std::vector<std::uint64_t> steps;
    std::uint64_t sum = 0;
    std::uint64_t shown = 0;
    for (const std::uint64_t value : values) {
        sum += value;
        const std::uint64_t upto = (sum + step / 2) / step;
        steps.push_back(upto - shown);
        shown = upto;
    }
    return steps;
}

std::vector<std::uint64_t> shares_to_sum(std::span<const std::uint64_t> values) {
    const std::uint64_t total = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
    std::vector<std::uint64_t> shares;
    std::uint64_t sum = 0;
    std::uint64_t shown = 0;
    for (const std::uint64_t value : values) {
        sum += value;
        const auto upto = total == 0 ? 0 : static_cast<std::uint64_t>((WideSum{sum} * 1000 + total / 2) / total);
        shares.push_back(upto - shown);
        shown = upto;
    }
    return shares;
}

std::string decimal(std::uint64_t value, unsigned decimals) {
    std::string digits = fmt::format("{:0{}}", value, decimals + 1);
    if (decimals > 0) {
        digits.insert(digits.size() - decimals, 1, '.');
    }
    return digits;
}

std::string signed_decimal(std::int64_t value, unsigned decimals) {
    constexpr std::string_view kSigns = "-+";
    const std::string number = decimal(static_cast<std::uint64_t>(std::abs(value)), decimals);
    return value == 0 ? number : kSigns[value > 0 ? 1 : 0] + number;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
    const WideSum tenths = whole == 0 ? 0 : (WideSum{part} * 1000 + whole / 2) / whole;
    return decimal(static_cast<std::uint64_t>(tenths), 1);
}

}  // namespace ndsim::cli
