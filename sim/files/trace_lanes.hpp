// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/exact_rate.hpp"

namespace ndsim {

// TraceLanes: the rows of one track. A viewer nests slices of a row, so slices that overlap get rows of their own, each
// the first that is free. Times never go back.
class TraceLanes {
public:
    // The row of a slice that begins now and ends at a time still unknown.
    std::uint32_t begin(std::uint64_t owner, Picoseconds at);
    // The row of one that has begun; that it is free from `at` on.
    std::uint32_t end(std::uint64_t owner, Picoseconds at);
    // The row of a slice: that of its owner, if it has begun and not ended.
    std::uint32_t slice(std::uint64_t owner, Interval when);
    // The row in which the owner's last slice is, unless another has come there since.
    [[nodiscard]] std::optional<std::uint32_t> of(std::uint64_t owner) const;

    struct Open {
        std::uint64_t owner = 0;
        Picoseconds until{};  // its inner slices end
    };
    // What has begun and not ended, by row.
    [[nodiscard]] std::vector<Open> open() const;

private:
    struct Lane {
        std::uint64_t owner = 0;
        bool open = false;
        Picoseconds until{};
    };
    struct Busy {
        Picoseconds until{};
        std::uint32_t lane = 0;
        bool operator>(const Busy& other) const { return std::pair(until, lane) > std::pair(other.until, other.lane); }
    };

    std::uint32_t take(std::uint64_t owner, Picoseconds at);

    std::vector<Lane> lanes_;
    std::set<std::uint32_t> free_;
    std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy_;
    std::unordered_map<std::uint64_t, std::uint32_t> of_;  // by owner
};

}  // namespace ndsim
