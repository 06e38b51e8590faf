// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/ports/protection.hpp"

namespace ndsim {

// RangeCursor: the host memory of a message, walked once from its first byte to its last.
class RangeCursor {
public:
    // A place in the message's memory.
    struct Place {
        std::size_t range = 0;
        std::uint32_t offset = 0;
    };

    // Starts anew; the caller then fills in the ranges.
    std::vector<HostRange>& restart() {
        place_ = {};
        ranges_.clear();
        return ranges_;
    }
    [[nodiscard]] std::uint32_t length() const {
        std::uint32_t sum = 0;
        for (const HostRange& range : ranges_) {
            sum += range.length;
        }
        return sum;
    }
    // Calls part(Address, length) for each contiguous piece of the next `bytes`, which must be there.
    template <class Part>
    void advance(std::uint32_t bytes, Part&& part) {
        while (bytes > 0) {
            const HostRange& range = ranges_[place_.range];
            const std::uint32_t length = std::min(bytes, range.length - place_.offset);
            if (length > 0) {
                part(range.at + place_.offset, length);
                bytes -= length;
                place_.offset += length;
            }
            if (place_.offset == range.length) {
                ++place_.range;
                place_.offset = 0;
            }
        }
    }
    void skip(std::uint32_t bytes) {
        advance(bytes, [](Address, std::uint32_t) {});
    }
    [[nodiscard]] Place place() const { return place_; }
    void go_back(Place place) { place_ = place; }

private:
    std::vector<HostRange> ranges_;
    Place place_;
};

}  // namespace ndsim
