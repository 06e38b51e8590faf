// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "scenarios/format/traffic.hpp"
#include "sim/base/rng.hpp"

namespace ndsim {

// QueuePairChoice: chooses the queue pair on which a generator posts the next message.
class QueuePairChoice {
public:
    QueuePairChoice(const Traffic& traffic, std::uint64_t seed)
        : traffic_(traffic), random_(seed, "traffic." + traffic.name + ".queue_pairs") {
        if (traffic.choose == QueuePairOrder::weighted) {
            sums_.assign(traffic.weights.begin(), traffic.weights.end());
            std::partial_sum(sums_.begin(), sums_.end(), sums_.begin());
        }
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
        switch (traffic_.choose) {
            case QueuePairOrder::random:
                next_ = random_.between(0, traffic_.queue_pairs - 1);
                return;
            case QueuePairOrder::round_robin:
                next_ = count_ % traffic_.queue_pairs;
                return;
            case QueuePairOrder::weighted:
                break;
        }
        // With weights 3 and 1 the numbers 0, 1 and 2 mean the first queue pair, and 3 the second.
        const std::uint64_t drawn = random_.between(0, sums_.back() - 1);
        next_ = static_cast<std::size_t>(std::ranges::upper_bound(sums_, drawn) - sums_.begin());
    }

    const Traffic& traffic_;
    Rng random_;
    std::vector<std::uint64_t> sums_;  // of the weights up to each queue pair
    std::uint64_t count_ = 0;          // messages posted
    std::size_t next_ = 0;
};

}  // namespace ndsim
