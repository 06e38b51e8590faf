// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/format/traffic.hpp"
#include "sim/base/rng.hpp"

namespace ndsim {

// QueuePairChoice: which of its queue pairs a generator posts the next message on.
class QueuePairChoice {
public:
    QueuePairChoice(const Traffic& traffic, std::uint64_t seed)
        : traffic_(traffic), random_(seed, "traffic." + traffic.name + ".queue_pairs") {
        draw();
    }

    [[nodiscard]] std::size_t next() const { return next_; }
    // A message was posted on next().
    void taken() {
        if (traffic_.queue_pairs > 1) {
            ++count_;
            draw();
        }
    }

private:
    void draw() {
        next_ = traffic_.choose == QueuePairOrder::random ? random_.between(0, traffic_.queue_pairs - 1)
                                                          : count_ % traffic_.queue_pairs;
    }

    const Traffic& traffic_;
    Rng random_;
    std::uint64_t count_ = 0;  // messages posted
    std::size_t next_ = 0;
};

}  // namespace ndsim
