// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/traffic_shape.hpp"

#include <algorithm>

namespace ndsim {

TrafficShape::TrafficShape(const Traffic& traffic) : traffic_(traffic) {
    largest_ = traffic.sgl.empty() ? static_cast<std::uint32_t>(traffic.largest().count) : size_of(0);
}

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
    return place_of(traffic_.buffers - 1) + std::max(1U, largest_);
}

}  // namespace ndsim
