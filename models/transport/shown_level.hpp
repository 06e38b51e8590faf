// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/kernel/pool.hpp"

namespace ndsim {

// ShownLevel: the part of one queue pair in a pool of its watch, which may count several queue pairs together.
class ShownLevel {
public:
    void show(Pool& pool, std::uint32_t level, Picoseconds at) {
        if (level > shown_) {
            pool.take(level - shown_, at);
        } else if (level < shown_) {
            pool.give(shown_ - level, at);
        }
        shown_ = level;
    }

private:
    std::uint32_t shown_ = 0;
};

}  // namespace ndsim
