// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/generators/receive_poster.hpp"
#include "scenarios/generators/traffic_figures.hpp"
#include "scenarios/generators/traffic_memory.hpp"
#include "scenarios/hosts/completion_inbox.hpp"

namespace ndsim {

// TrafficReceiver: the receiver's side of a generator: it takes the messages of Sends, and posts its buffers again. For
// messages of one side alone it has only the memory. It runs on its own core, called again whenever there may be
// something to do.
class TrafficReceiver {
public:
    // `credits` tells the sender, whose core is `sender`, from when on it may count on receives.
    TrafficReceiver(HostSide& side, Core& core, Core& sender, const Traffic& traffic, const TrafficShape& shape,
                    TrafficFigures& figures, Ring<Picoseconds>& credits);

    // Run on the side's main core when the queue pairs are connected: buffers, and the receives posted ahead. Blocks.
    void prepare();
    void wake(Picoseconds at) { core_.wake(at); }

    [[nodiscard]] std::uint64_t posted() const { return posted_; }
    // Whether its completion queue has overrun.
    [[nodiscard]] bool has_failed() const { return done_.has_failed(); }

private:
    void step();
    void post_ahead();
    [[nodiscard]] bool post_receive();
    void ring_for_receives();
    void give_credits(std::uint32_t all);
    void post_owed();       // as many as the core can store
    void post_shared();     // at most one, as another core may take the lock after that
    void spend_lateness();  // before a receive is posted again
    void take_messages(std::span<const NDK_RESULT> results);

    HostSide& side_;
    Core& core_;
    Core& sender_;
    const Traffic& traffic_;
    const TrafficShape& shape_;
    TrafficFigures& figures_;
    Ring<Picoseconds>& credits_;
    ReceivePoster poster_;
    CompletionInbox done_;
    CompletionInbox::Context context_;
    TrafficMemory memory_;
    std::uint64_t posted_ = 0;
    std::uint64_t rung_ = 0;
    bool tells_nic_ = false;   // with doorbells; else credits begin with the post
    std::uint32_t given_ = 0;  // credits, otherwise
    bool has_begun_ = false;   // the generator, after set-up
    std::uint64_t repost_batch_ = 1;
    std::uint64_t kept_ = 0;  // taken buffers that wait for others
    std::uint64_t owed_ = 0;  // buffers to post again now
    bool was_late_ = false;   // with the next of them
};

}  // namespace ndsim
