// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ndsim {

// SrqLimit: the limit of a shared receive queue, below which software is to post more. The fall below it is one event,
// and the limit is then off until it is armed again [K192, X59]. A limit of 0 is off.
class SrqLimit {
public:
    // With a new queue, which is below its limit until it has been filled: that is no event [K195].
    void create(std::uint32_t limit) { limit_ = limit; }
    void destroy() { limit_ = 0; }
    // True if the event is due at once, as fewer receives are left [K191].
    [[nodiscard]] bool arm(std::uint32_t limit, std::uint32_t left) {
        limit_ = limit;
        return left < limit_ && reach();
    }
    // A receive was taken. True if the event is due: the fall counts, not the level [K194].
    [[nodiscard]] bool fall_to(std::uint32_t left) { return limit_ != 0 && left + 1 == limit_ && reach(); }

private:
    bool reach() {
        limit_ = 0;
        return true;
    }

    std::uint32_t limit_ = 0;
};

}  // namespace ndsim
