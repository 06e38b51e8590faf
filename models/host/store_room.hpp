// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/ring.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

// StoreRoom: the room in a core's store buffer, for a core whose clock is ahead of the simulation. A store has its
// place until the link takes it; the link has yet to reach the core's latest stores.
class StoreRoom {
public:
    explicit StoreRoom(std::uint32_t stores) : stores_(stores) {}

    // Whether there is room at `at`, as far as is known now; time never goes back.
    [[nodiscard]] bool has(Picoseconds at) {
        while (!taken_.empty() && taken_.front() <= at) {
            taken_.drop();
        }
        return unknown_ + taken_.size() < stores_;
    }
    // When there is room next, if there is none; nothing if that is not known yet.
    [[nodiscard]] std::optional<Picoseconds> next() const {
        return taken_.empty() ? std::nullopt : std::optional(taken_.front());
    }
    // The core has made a store.
    void put() { ++unknown_; }
    // The link takes the oldest of the other stores at `at`, which may lie ahead.
    void take(Picoseconds at) {
        --unknown_;
        taken_.push(at);
    }

private:
    const std::uint32_t stores_;
    std::uint32_t unknown_ = 0;  // stores that the link has not reached
    Ring<Picoseconds> taken_;    // when it takes the others
};

}  // namespace ndsim
