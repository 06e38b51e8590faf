// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>

#include "ndapi/core/cq.hpp"
#include "ndapi/ndspi/com.hpp"

// What both versions do with a completion queue.
namespace ndsim::nd {

// The status of a result. The numbers are those of the core, but for what the interface's own documents say (ndspi.md
// 6): a Bind that the NIC refuses (R111), and how version 1 calls a timeout.
[[nodiscard]] HRESULT code_of(const core::Driver& driver, Version version, const core::Completion& completion);
// Before it is created: whether results that are errors end a Notify for errors, too (R85).
void count_failures(core::Cq& cq);
// Gives the queue another depth while the caller waits (R89).
[[nodiscard]] HRESULT resize(core::Cq& cq, std::uint64_t depth);

// Polls until there are `wanted` results, or no more (R71). `take` is given each completion and the place of its
// result, and says whether it has made one. Returns how many.
template <class Take>
[[nodiscard]] std::size_t take_results(core::Cq& cq, std::size_t wanted, const Take& take) {
    constexpr std::size_t kBatch = 64;
    std::array<core::Completion, kBatch> batch;
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

}  // namespace ndsim::nd
