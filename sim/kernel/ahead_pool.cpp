// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/ahead_pool.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/kernel/unit.hpp"

namespace ndsim {

// What the simulation has reached is no longer ahead.
void AheadPool::note(std::uint64_t taken, std::uint64_t given, Picoseconds at) {
    if (ahead_ == nullptr) {
        ahead_ = std::make_unique<Ring<Change>>();
    }
    while (!ahead_->empty() && ahead_->front().at <= owner().now()) {
        ahead_->pop();
    }
    ahead_->push({at, taken, given});
}

// The level at `at` is today's without the changes behind it. These then happen again.
void AheadPool::rewind(Picoseconds at) {
    is_measured_ = true;
    const std::unique_ptr<Ring<Change>> ahead = std::exchange(ahead_, nullptr);
    if (ahead == nullptr || last() == at) {
        return;
    }
    const Picoseconds until = last();
    settle(until);
    std::vector<Change> again;
    for (std::size_t i = 0; i < ahead->size(); ++i) {
        if (const Change& change = (*ahead)[i]; change.at > at && change.at <= until) {
            again.push_back(change);
        }
    }
    std::ranges::stable_sort(again, {}, &Change::at);
    std::uint64_t level = occupancy().level();
    for (const Change& change : again) {
        level += change.given - change.taken;
    }
    begin(level, at);
    for (const Change& change : again) {
        change.taken > 0 ? Pool::take(change.taken, change.at) : Pool::give(change.given, change.at);
    }
    settle(until);
}

}  // namespace ndsim
