// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/written_places.hpp"

namespace ndsim {

void WrittenPlaces::memory_written(Address address, std::uint64_t length, Picoseconds at) {
    const std::uint64_t begin = raw(address) - raw(base_);
    for (auto place = places_.lower_bound(begin); place != places_.end() && place->first < begin + length; ++place) {
        place->second.push_back(at);
    }
    if (spinning_ != nullptr) {
        spinning_->wake(at + detect_ + spinning_->jitter().poll());
    }
}

void WrittenPlaces::spin(Core& core, std::uint64_t offset) {
    std::deque<Picoseconds>& writes = places_.at(offset);
    core.sync();
    spinning_ = &core;
    while (writes.empty()) {
        core.sleep();
    }
    spinning_ = nullptr;
    const Picoseconds seen = writes.front() + detect_;
    writes.pop_front();
    while (core.clock() < seen) {
        core.sleep(seen);
    }
}

}  // namespace ndsim
