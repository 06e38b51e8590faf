// SPDX-License-Identifier: Apache-2.0
#include "tools/inspect/differences.hpp"

#include <cstdint>
#include <limits>

#include "sim/base/histogram.hpp"
#include "sim/config/quantity.hpp"
#include "tools/cli/figures.hpp"

namespace ndsim::inspect {

std::string difference_text(const Metric& first, const Metric& second) {
    if (first.quantity != second.quantity) {
        return "-";
    }
    const bool less = second.value < first.value;
    const Metric apart{"", less ? first.value - second.value : second.value - first.value, first.quantity, ""};
    return (apart.value == 0 ? "" : less ? "-" : "+") + cli::figure(apart);
}

std::string percent_text(const Metric& first, const Metric& second) {
    if (first.value == 0 || first.quantity != second.quantity) {
        return "-";
    }
    const bool less = second.value < first.value;
    const std::uint64_t apart = less ? first.value - second.value : second.value - first.value;
    const WideSum hundredths = (WideSum{apart} * 10'000 + first.value / 2) / first.value;
    if (hundredths > std::numeric_limits<std::uint32_t>::max()) {
        return "-";
    }
    return cli::signed_decimal(less ? -static_cast<std::int64_t>(hundredths) : static_cast<std::int64_t>(hundredths),
                               2);
}

std::array<std::string, 2> value_texts(const OtherPair& pair) {
    const auto text = [&pair](const std::string& value) {
        const bool is_time = pair.path.ends_with("_ps") && value.find_first_not_of("0123456789") == std::string::npos;
        return value.empty() ? "-" : is_time ? ndsim::to_text(Picoseconds{std::stoll(value)}) : value;
    };
    return {text(pair.first), text(pair.second)};
}

}  // namespace ndsim::inspect
