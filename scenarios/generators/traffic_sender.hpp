// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "ndapi/core/qp.hpp"
#include "scenarios/generators/arrivals.hpp"
#include "scenarios/generators/queue_pair_choice.hpp"
#include "scenarios/generators/traffic_figures.hpp"
#include "scenarios/generators/traffic_memory.hpp"
#include "scenarios/hosts/completion_inbox.hpp"

namespace ndsim {

// TrafficSender: the sender's side of a generator. It keeps at most `window` messages outstanding, on queue pairs that
// it chooses, as far as queue and receiver allow, and takes the completions. In an open loop it wants messages at their
// arrivals; a message that cannot be posted then is posted later, but its time counts from its arrival. It runs on its
// own core, called again whenever there may be something to do.
class TrafficSender {
public:
    // `credits` tells from when on it may count on receives that it has not counted yet.
    TrafficSender(HostSide& side, Core& core, const Traffic& traffic, std::uint64_t seed, const TrafficShape& shape,
                  TrafficFigures& figures, Ring<Picoseconds>& credits);

    // Run on the side's main core when the queue pairs are connected; blocks.
    void prepare();
    void start(Picoseconds at);

    [[nodiscard]] std::uint64_t posted() const { return posted_; }
    [[nodiscard]] std::uint64_t completed() const { return completed_; }
    // Whether its completion queue has overrun.
    [[nodiscard]] bool has_failed() const { return done_.has_failed(); }
    // When the next wanted message began; every message still to be posted began then or later.
    [[nodiscard]] Picoseconds next_begins() const {
        const bool more = arrivals_.open() && posted_ < traffic_.count;
        return wanted_.value_or(more ? arrivals_.next() : Picoseconds::max());
    }

private:
    // A message that has been posted and is not known to have ended.
    struct Message {
        Picoseconds begun{};
        bool silent = false;
    };
    // A queue pair. A completion of its requests leads back to it.
    struct Lane : CompletionInbox::Context {
        NDK_QP* qp = nullptr;
        std::uint64_t posted = 0;
        std::uint32_t silent_ends = 0;  // messages that have ended without a completion
        Ring<Message> awaiting;
    };

    // The reason why the sender, with a message to post, waits: none, its window, a slot of the queue, a completion
    // that was not asked for, a receive of the peer.
    enum class Wait : std::uint8_t { none, window, queue, completion, receive };
    static constexpr std::array<std::string_view, 5> kWaitNames{"none", "window_full", "queue_full", "unsignaled",
                                                                "no_receive"};
    static constexpr std::array<std::string_view, 5> kWaitSentences{
        "", "time with a message to post and the window full", "time with a message to post and the send queue full",
        "time with a message to post, and the send queue or the window full only because requests that were done were "
        "unsignaled",
        "time with a message to post and no receive known at the peer"};

    void step();
    [[nodiscard]] Wait missing();
    void wait_for(Wait what, Picoseconds at);
    void end_wait(Picoseconds at);
    [[nodiscard]] static core::Qp& core_of(const Lane& lane);
    [[nodiscard]] bool is_window_full() const { return posted_ - completed_ >= traffic_.window; }
    [[nodiscard]] bool has_credit();
    void was_kept_by(Account what, Picoseconds until);
    [[nodiscard]] bool has_arrived() const { return !arrivals_.open() || arrivals_.next() <= core_.clock(); }
    [[nodiscard]] bool post_send();
    void take_completions(std::span<const NDK_RESULT> results);
    [[nodiscard]] static std::uint32_t silent_before(const Lane& lane, bool succeeded);
    [[nodiscard]] NTSTATUS post(Lane& lane, ULONG flags);
    [[nodiscard]] ULONG flags_of(const Lane& lane) const;

    HostSide& side_;
    Core& core_;
    const Traffic& traffic_;
    const TrafficShape& shape_;
    TrafficFigures& figures_;
    Ring<Picoseconds>& credits_;
    std::vector<Lane> lanes_;
    CompletionInbox done_;
    TrafficMemory memory_;
    RemoteRange remote_;  // memory of a Write or Read at the receiver
    std::vector<NDK_SGE> sgl_;
    std::uint64_t posted_ = 0;
    std::uint64_t completed_ = 0;
    std::uint64_t credited_ = 0;
    Arrivals arrivals_;
    QueuePairChoice choice_;
    std::optional<Picoseconds> wanted_;  // arrival of a message that could not be posted yet
    Account wait_ = Account::slot;       // reason of its wait
    Account kept_by_ = Account::slot;    // the last thing missing for a message
    Picoseconds kept_until_{};           // and when that was there
    StateTimes waits_;
    Wait waits_for_ = Wait::none;
    Picoseconds waits_since_{};
    Picoseconds held_{};             // how long a request polled since then was done before
    bool found_queue_full_ = false;  // by the last post tried
    bool in_burst_ = false;          // the next post waits for room in the store buffer
};

}  // namespace ndsim
