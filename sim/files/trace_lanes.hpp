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

// TraceLanes: the rows of one track. A viewer nests the slices of a row, so overlapping slices get different rows, each
// the first free one. Times never go back.
class TraceLanes {
public:
    // The row of a slice that begins now and ends at an unknown time.
    std::uint32_t begin(std::uint64_t owner, Picoseconds at);
    // The row of an open slice, which is free from `at` on.
    std::uint32_t end(std::uint64_t owner, Picoseconds at);
    // The row of a slice: that of its owner's open slice, if there is one.
    std::uint32_t slice(std::uint64_t owner, Interval when);
    // The row of the owner's last slice, unless another slice has come there since.
    [[nodiscard]] std::optional<std::uint32_t> of(std::uint64_t owner) const;

    // A slice that has begun and not ended.
    struct Open {
        std::uint64_t owner = 0;
        Picoseconds until{};  // end of its inner slices
    };
    // The open slices, by row.
    [[nodiscard]] std::vector<Open> open() const;

private:
    // The state of a row.
    struct Lane {
        std::uint64_t owner = 0;
        bool open = false;
        Picoseconds until{};
    };
    // A row that is taken until a known time.
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
