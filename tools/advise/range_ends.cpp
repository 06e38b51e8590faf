// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/range_ends.hpp"

#include <charconv>
#include <cstdint>

#include "sim/base/histogram.hpp"
#include "sim/config/quantity.hpp"
#include "tools/cli/ranges.hpp"

namespace ndsim::advise {

namespace {

// hosts.A.nic.rx_pipe has the name nic.rx_pipe in the ranges, links.l0.fec the name link.fec.
std::string name_in_ranges(std::string_view path) {
    const std::size_t owner = path.find('.');
    const std::size_t name = owner == std::string_view::npos ? owner : path.find('.', owner + 1);
    if (name == std::string_view::npos) {
        return std::string(path);
    }
    return (path.starts_with("links.") ? "link." : "") + std::string(path.substr(name + 1));
}

std::uint64_t part_of(std::uint64_t value, std::uint32_t percent) {
    constexpr std::uint64_t kHundred = 100;
    return static_cast<std::uint64_t>(WideSum{value} * percent / kHundred);
}

}  // namespace

std::optional<RangeEnds> ends_of(std::string_view parameter, std::string_view value) {
    const cli::Range& range = cli::range_of(name_in_ranges(parameter));
    const auto ends = [&range](std::uint64_t number, const auto& text) -> std::optional<RangeEnds> {
        const std::uint64_t low = part_of(number, range.low);
        const std::uint64_t high = part_of(number, range.high);
        return low == 0 || low == number || high == number ? std::nullopt
                                                           : std::optional(RangeEnds{text(low), text(high)});
    };
    std::uint64_t count = 0;
    const char* const end = value.data() + value.size();
    if (!value.empty() && std::from_chars(value.data(), end, count).ptr == end) {
        return ends(count, [](std::uint64_t number) { return std::to_string(number); });
    }
    for (const Quantity quantity :
         {Quantity::time, Quantity::size, Quantity::rate, Quantity::frequency, Quantity::fraction, Quantity::length}) {
        if (const auto number = parse(quantity, value); number.value) {
            return ends(*number.value, [quantity](std::uint64_t each) { return to_text(quantity, each); });
        }
    }
    return std::nullopt;
}

}  // namespace ndsim::advise
