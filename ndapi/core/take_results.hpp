// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "ndapi/core/cq.hpp"

namespace ndsim::core {

// Polls until there are `wanted` results, or no more [K84, R71]. `take` gets each completion and the place of its
// result, and returns whether it has made one. Returns the number of results.
template <class Take>
[[nodiscard]] std::size_t take_results(Cq& cq, std::size_t wanted, const Take& take) {
    constexpr std::size_t kBatch = 64;
    std::array<Completion, kBatch> batch;
    std::size_t made = 0;
    for (bool drained = false; !drained && made < wanted;) {
        const std::size_t most = std::min(wanted - made, kBatch);
        const std::size_t polled = cq.poll({batch.data(), most});
        drained = polled < most;
        for (std::size_t i = 0; i < polled; ++i) {
            made += take(batch[i], made) ? 1 : 0;
        }
    }
    return made;
}

}  // namespace ndsim::core
