// SPDX-License-Identifier: Apache-2.0
#include "sim/files/trace_lanes.hpp"

#include <algorithm>

namespace ndsim {

std::uint32_t TraceLanes::take(std::uint64_t owner, Picoseconds at) {
    while (!busy_.empty() && busy_.top().until <= at) {
        free_.insert(busy_.top().lane);
        busy_.pop();
    }
    if (free_.empty()) {
        free_.insert(static_cast<std::uint32_t>(lanes_.size()));
        lanes_.emplace_back();
    }
    const std::uint32_t lane = free_.extract(free_.begin()).value();
    if (lanes_[lane].owner != 0) {
        of_.erase(lanes_[lane].owner);
    }
    lanes_[lane] = {owner, false, at};
    if (owner != 0) {
        of_[owner] = lane;
    }
    return lane;
}

std::uint32_t TraceLanes::begin(std::uint64_t owner, Picoseconds at) {
    const std::uint32_t lane = take(owner, at);
    lanes_[lane].open = true;
    return lane;
}

std::uint32_t TraceLanes::end(std::uint64_t owner, Picoseconds at) {
    const std::uint32_t lane = of_.at(owner);
    lanes_[lane].open = false;
    busy_.push({at, lane});
    return lane;
}

std::uint32_t TraceLanes::slice(std::uint64_t owner, Interval when) {
    if (const auto found = of_.find(owner); found != of_.end() && lanes_[found->second].open) {
        Lane& lane = lanes_[found->second];
        lane.until = std::max(lane.until, when.end);
        return found->second;
    }
    const std::uint32_t lane = take(owner, when.start);
    busy_.push({when.end, lane});
    return lane;
}

std::optional<std::uint32_t> TraceLanes::of(std::uint64_t owner) const {
    const auto found = of_.find(owner);
    return found == of_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<TraceLanes::Open> TraceLanes::open() const {
    std::vector<Open> all;
    for (const Lane& lane : lanes_) {
        if (lane.open) {
            all.push_back({lane.owner, lane.until});
        }
    }
    return all;
}

}  // namespace ndsim
