// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/traffic_shape.hpp"

#include <algorithm>

namespace ndsim {

std::uint32_t TrafficShape::size_of(std::uint64_t message) const {
    if (traffic_.sgl.empty()) {
        return static_cast<std::uint32_t>(traffic_.sizes[message % traffic_.sizes.size()].count);
    }
    std::uint64_t sum = 0;
    for (const Bytes entry : traffic_.sgl) {
        sum += entry.count;
    }
    return static_cast<std::uint32_t>(sum);
}

std::uint64_t TrafficShape::memory_size() const {
    return place_of(traffic_.buffers - 1) + std::max<std::uint64_t>(1, traffic_.room().count);
}

}  // namespace ndsim
