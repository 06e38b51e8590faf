// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "models/host/core.hpp"
#include "ndapi/ndk/ndkpi.h"
#include "sim/base/ring.hpp"

namespace ndsim {

// A completion queue that generators poll. NDK's consumers must not poll one from two threads at once (the rules
// of NdkGetCqResults), so those of a shared queue hold a lock while they poll.
struct PolledCq {
    NDK_CQ* cq = nullptr;
    Picoseconds locked_until{};
};

// CompletionInbox: what one side of a generator takes from its completion queue. The queue may be that of others, too:
// the core that polls it keeps its own completions, and puts each other one into the inbox of whoever posted the
// request, as the consumers of a shared queue do. It costs the core that polls what any poll costs, and the other none.
class CompletionInbox {
public:
    CompletionInbox(Core& core, std::uint32_t batch) : core_(core), taken_(batch) {}

    // A request's context leads to the inbox of its completion; what the poster keeps of the request may derive from
    // it.
    struct Context {
        CompletionInbox* inbox = nullptr;
    };

    void open(PolledCq& queue) { queue_ = &queue; }
    // The queue has overrun, and nothing comes any more but what it holds.
    [[nodiscard]] bool has_failed() const;
    // Whether the core, at its clock, has completions to take or would find some in the queue.
    [[nodiscard]] bool can_take();
    // A batch at most: what others have polled, or else what one poll brings, which may be nothing for this side.
    [[nodiscard]] std::span<const NDK_RESULT> take();
    // The core, a stepper, goes on when it can take something.
    void wait();

private:
    struct Kept {
        NDK_RESULT result{};
        Picoseconds polled_at{};
    };
    void keep(const NDK_RESULT& result, Picoseconds at);
    [[nodiscard]] bool has_kept() const { return !kept_.empty() && kept_.front().polled_at <= core_.clock(); }

    Core& core_;
    PolledCq* queue_ = nullptr;
    std::vector<NDK_RESULT> taken_;
    Ring<Kept> kept_;  // by other cores, for this side
};

}  // namespace ndsim
