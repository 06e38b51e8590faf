// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tools/advise/scope.hpp"
#include "tools/cli/failure.hpp"

namespace ndsim::advise {

namespace {

template <class Each>
std::uint64_t sum_of(const std::vector<Dimension>& dimensions, const Depths& depths, const Each& each) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < depths.size(); ++i) {
        sum += depths[i] * each(dimensions[i]);
    }
    return sum;
}

}  // namespace

std::uint64_t chip_bytes(const std::vector<Dimension>& dimensions, const Depths& depths) {
    return sum_of(dimensions, depths, [](const Dimension& each) { return each.chip_bytes; });
}
std::uint64_t host_bytes(const std::vector<Dimension>& dimensions, const Depths& depths) {
    return sum_of(dimensions, depths, [](const Dimension& each) { return each.host_bytes; });
}
std::uint64_t weight_of(const std::vector<Dimension>& dimensions, const Depths& depths) {
    return sum_of(dimensions, depths, [](const Dimension& each) { return each.weight.value_or(0); });
}

bool has_weights(const std::vector<Dimension>& dimensions) {
    return std::ranges::any_of(dimensions, [](const Dimension& each) { return each.weight.has_value(); });
}

std::pair<std::uint64_t, std::uint64_t> cost_of(const std::vector<Dimension>& dimensions, const Depths& depths) {
    return has_weights(dimensions) ? std::pair{weight_of(dimensions, depths), chip_bytes(dimensions, depths)}
                                   : std::pair{chip_bytes(dimensions, depths), host_bytes(dimensions, depths)};
}

void give_weights(std::vector<Dimension>& dimensions, const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const std::string name = text.substr(0, equals);
        std::uint64_t weight = 0;
        const char* const end = text.data() + text.size();
        if (equals == std::string::npos || std::from_chars(text.data() + equals + 1, end, weight).ptr != end ||
            text.ends_with('=')) {
            throw cli::UsageError(fmt::format("--cost: expected PATH=NUMBER, such as pcie.tags=512, got \"{}\"", text));
        }
        bool found = false;
        for (Dimension& dimension : dimensions) {
            if (std::ranges::any_of(dimension.settings,
                                    [&](const Dimension::Setting& setting) { return is_called(setting.path, name); })) {
                dimension.weight = weight;
                found = true;
            }
        }
        if (!found) {
            throw cli::UsageError(fmt::format("--cost: no depth that is searched is set by \"{}\"", name));
        }
    }
}

}  // namespace ndsim::advise
