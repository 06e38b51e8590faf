// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/dimension.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ndsim::advise {

namespace {

std::string value_text(const Dimension& dimension, std::uint64_t value) {
    return to_text(Amount{value, dimension.quantity});
}

}  // namespace

std::vector<std::string> overrides_of(const Dimension& dimension, std::uint64_t value) {
    std::vector<std::string> overrides;
    for (const Dimension::Setting& setting : dimension.settings) {
        overrides.push_back(
            fmt::format("{}={}", setting.path, value_text(dimension, std::min(value * setting.factor, setting.most))));
    }
    return overrides;
}

std::string text_of(const Dimension& dimension, std::uint64_t value) {
    return value_text(dimension, value * (dimension.quantity ? dimension.settings.front().factor : 1));
}

void add_payload(Dimension& dimension, const Traffic& traffic, std::uint64_t payload) {
    dimension.payload += payload;
    const std::uint64_t size = mean_size(traffic);
    dimension.message = dimension.message == 0 ? size : std::min(dimension.message, size);
}

std::uint64_t size_of_all(const Traffic& traffic) {
    return std::accumulate(traffic.sizes.begin(), traffic.sizes.end(), std::uint64_t{0},
                           [](std::uint64_t all, Bytes each) { return all + each.count; });
}

std::uint64_t mean_size(const Traffic& traffic) {
    return (size_of_all(traffic) + traffic.sizes.size() - 1) / traffic.sizes.size();
}

}  // namespace ndsim::advise
