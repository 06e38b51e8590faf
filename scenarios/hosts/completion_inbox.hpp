// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "models/host/core.hpp"
#include "ndapi/ndk/ndkpi.h"
#include "sim/base/ring.hpp"

namespace ndsim {

// A completion queue that generators poll. NDK's consumers must not poll a queue from two threads at once (the rules of
// NdkGetCqResults), so those of a shared queue hold a lock while they poll.
struct PolledCq {
    NDK_CQ* cq = nullptr;
    Picoseconds locked_until{};
};

// CompletionInbox: the completions that one side of a generator takes from its queue. The queue may be shared: the core
// that polls it keeps its own completions, and puts each other one into its poster's inbox, as consumers of a shared
// queue do. The core that polls pays the cost of the poll, and the other core nothing.
class CompletionInbox {
public:
    CompletionInbox(Core& core, std::uint32_t batch) : core_(core), taken_(batch) {}

    // A request's context leads to the inbox of its completion; the poster may derive its own data from it. Without an
    // inbox there, as for a receive that any queue pair may take, the queue pair's own context leads to it.
    struct Context {
        CompletionInbox* inbox = nullptr;
    };

    void open(PolledCq& queue) { queue_ = &queue; }
    // Whether the queue has overrun, so that nothing comes beyond its present entries.
    [[nodiscard]] bool has_failed() const;
    // Whether the core, at its clock, has completions to take or would find some in the queue.
    [[nodiscard]] bool can_take();
    // At most a batch: completions polled by others, otherwise those of one poll, which may be none for this side.
    [[nodiscard]] std::span<const NDK_RESULT> take();
    // When the poll returned that found the completion with this place in the batch taken last.
    [[nodiscard]] Picoseconds polled_at(std::size_t place) const {
        return kept_at_.empty() ? core_.clock() : kept_at_[place];
    }
    // The core, a stepper, continues when it can take something.
    void wait();

private:
    // A completion that another core has polled.
    struct Kept {
        NDK_RESULT result{};
        Picoseconds polled_at{};
    };
    void keep(const NDK_RESULT& result, Picoseconds at);
    [[nodiscard]] bool has_kept() const { return !kept_.empty() && kept_.front().polled_at <= core_.clock(); }

    Core& core_;
    PolledCq* queue_ = nullptr;
    std::vector<NDK_RESULT> taken_;
    Ring<Kept> kept_;                   // by other cores, for this side
    std::vector<Picoseconds> kept_at_;  // of the batch taken last, if others had polled it
};

}  // namespace ndsim
