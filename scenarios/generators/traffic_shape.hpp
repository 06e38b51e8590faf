// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "scenarios/format/scenario.hpp"

namespace ndsim {

// TrafficShape: the messages of a generator: their sizes, and their places in the memory of either side, which has all
// its buffers in one region, one behind the other.
class TrafficShape {
public:
    explicit TrafficShape(const Traffic& traffic) : traffic_(traffic) {}

    // Messages of one side alone: Writes and Reads.
    [[nodiscard]] bool is_one_sided() const { return traffic_.operation != TrafficOperation::send; }
    [[nodiscard]] bool is_read() const { return traffic_.operation == TrafficOperation::read; }
    [[nodiscard]] std::uint32_t size_of(std::uint64_t message) const;
    [[nodiscard]] std::uint64_t place_of(std::uint64_t message) const {
        return message % traffic_.buffers * traffic_.buffer_step().count;
    }
    [[nodiscard]] std::uint64_t memory_size() const;

private:
    const Traffic& traffic_;
};

}  // namespace ndsim
