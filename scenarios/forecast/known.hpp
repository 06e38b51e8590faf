// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ndsim::forecast {

using Index = std::uint32_t;

// Events that have surely happened elsewhere when a program comes to some operation: a vector clock. It holds for each
// host how many operations of its program have been executed, and for each queue pair how many of its requests have
// arrived at the peer, and how many have ended. A request that only its own host executes arrives when that is done.
class Known {
public:
    Known() = default;
    Known(std::size_t hosts, std::size_t qps) : hosts_(hosts), counts_(hosts + 2 * qps) {}

    [[nodiscard]] Index steps(Index host) const { return counts_[host]; }
    [[nodiscard]] Index arrived(Index qp) const { return counts_[hosts_ + 2 * qp]; }
    [[nodiscard]] Index ended(Index qp) const { return counts_[hosts_ + 2 * qp + 1]; }

    void learn_steps(Index host, Index count) { learn(host, count); }
    void learn_arrived(Index qp, Index count) { learn(hosts_ + 2 * qp, count); }
    void learn_ended(Index qp, Index count) {
        learn_arrived(qp, count);
        learn(hosts_ + 2 * qp + 1, count);
    }
    void join(const Known& other) {
        std::transform(counts_.begin(), counts_.end(), other.counts_.begin(), counts_.begin(),
                       [](Index a, Index b) { return std::max(a, b); });
    }

private:
    void learn(std::size_t what, Index count) { counts_[what] = std::max(counts_[what], count); }

    std::size_t hosts_ = 0;
    std::vector<Index> counts_;
};

}  // namespace ndsim::forecast
