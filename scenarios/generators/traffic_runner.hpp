// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "models/transport/placed.hpp"
#include "scenarios/generators/queue_pair_choice.hpp"
#include "scenarios/hosts/completion_inbox.hpp"
#include "scenarios/hosts/ndk_face.hpp"
#include "scenarios/measure/arrivals.hpp"
#include "scenarios/measure/measured_latency.hpp"
#include "scenarios/measure/measured_rate.hpp"
#include "scenarios/measure/metrics.hpp"

namespace ndsim {

// TrafficRunner: a generator. The sender keeps `window` messages outstanding at the most, on queue pairs that it
// chooses; in an open loop it wants them at their arrivals, and what cannot be posted then is posted later, but counts
// from there. Of Sends, the receiver takes them and posts its buffers again. Each side runs on a core of its own,
// called again whenever there may be something to do.
class TrafficRunner {
public:
    TrafficRunner(World& world, HostSide& from, HostSide& to, const Traffic& traffic, const Measure& measure);

    // On each side's main core, after the queue pairs are connected: buffers, and the receives posted ahead. Blocks.
    void prepare_sender();
    void prepare_receiver();
    // Both sides begin at `at`.
    void start(Picoseconds at);
    // Called once when the warm-up is over, and once when the window is complete.
    void on_warm(std::function<void()> callback) { measured_.on_warm(std::move(callback)); }
    void on_complete(std::function<void()> callback) { measured_.on_complete(std::move(callback)); }

    // A generator ends with its last message, or with the first failure, since that ends its connection. If the
    // completion queue of its requests overruns, some never complete; if that of its receives does, none may be under
    // way.
    [[nodiscard]] bool finished() const {
        return (completed_ == traffic_.count && received_ == traffic_.count) ||
               ((failed_ > 0 || receives_done_.has_failed()) && completed_ == posted_) || sends_done_.has_failed();
    }
    // What has come to its destination, of messages under way as well.
    [[nodiscard]] Placed moved() const;
    [[nodiscard]] std::uint64_t completed() const { return received_; }
    // When the message that is wanted next began; no message that is still to be posted did earlier.
    [[nodiscard]] Picoseconds next_begins() const {
        const bool more = arrivals_.open() && posted_ < traffic_.count;
        return wanted_.value_or(more ? arrivals_.next() : Picoseconds::max());
    }
    [[nodiscard]] std::string where() const;
    void report(Metrics& metrics) const;

private:
    // One of the queue pairs. A completion of its requests leads back to it.
    struct Lane : CompletionInbox::Context {
        NDK_QP* qp = nullptr;
        std::uint64_t posted = 0;
        std::uint64_t completed = 0;
        Ring<Picoseconds> awaiting;  // post times of what is not completed
    };

    // Where its messages come from, or go to.
    struct Memory {
        std::byte* data = nullptr;
        std::uint32_t token = 0;
    };

    // What the sender waits for, with a message to post: nothing, its window, a slot of the queue, a completion that
    // nobody asked for, a receive of the peer.
    enum class Wait : std::uint8_t { none, window, queue, completion, receive };
    static constexpr std::array<std::string_view, 5> kWaitNames{"none", "window_full", "queue_full", "unsignaled",
                                                                "no_receive"};
    static constexpr std::array<std::string_view, 5> kWaitSentences{
        "", "time with a message to post and the window full", "time with a message to post and the send queue full",
        "time with a message to post and the send queue full only because no signaled completion is outstanding",
        "time with a message to post and no receive known at the peer"};

    [[nodiscard]] Memory add_memory(HostSide& side, std::string_view suffix, const BufferContent& content) const;
    void step_sender();
    [[nodiscard]] Wait missing();
    void wait_for(Wait what, Picoseconds at);
    void end_wait(Picoseconds at);
    [[nodiscard]] core::Qp& next_qp();
    void step_receiver();
    [[nodiscard]] bool is_window_full() const { return posted_ - completed_ >= traffic_.window; }
    [[nodiscard]] bool has_credit();
    void was_kept_by(Account what, Picoseconds until);
    [[nodiscard]] bool has_arrived() const { return !arrivals_.open() || arrivals_.next() <= sender_.clock(); }
    [[nodiscard]] bool post_send();
    [[nodiscard]] bool post_receive();
    void ring_for_receives();
    void post_owed_receives();  // as far as the core can store
    void take_completions(std::span<const NDK_RESULT> results);
    void take_messages(std::span<const NDK_RESULT> results);
    [[nodiscard]] std::uint32_t size_of(std::uint64_t message) const;
    [[nodiscard]] bool is_one_sided() const { return traffic_.operation != TrafficOperation::send; }
    [[nodiscard]] bool is_read() const { return traffic_.operation == TrafficOperation::read; }
    // Each side has its buffers one behind the other in one region.
    [[nodiscard]] std::uint64_t memory_size() const;
    [[nodiscard]] std::uint64_t place_of(std::uint64_t message) const {
        return message % traffic_.buffers * traffic_.buffer_step().count;
    }
    [[nodiscard]] NTSTATUS post(Lane& lane);
    [[nodiscard]] ULONG flags_of(const Lane& lane) const;
    // A message has come to its end, for the figures of the window.
    void measure(Picoseconds at, std::uint64_t bytes, Picoseconds begun);
    void note_moved();  // at the window's edges

    const Traffic& traffic_;
    HostSide& from_;
    HostSide& to_;
    Core& sender_;
    Core& receiver_;
    const Nic& placing_;              // the NIC that puts messages into memory
    std::vector<QpNum> placing_qps_;  // and its queue pairs that do
    std::vector<Lane> lanes_;
    NDK_QP* receive_qp_ = nullptr;
    CompletionInbox sends_done_;
    CompletionInbox receives_done_;
    CompletionInbox::Context receive_context_{&receives_done_};
    Memory source_;
    Memory sink_;
    RemoteRange remote_;  // what a Write or Read uses at the receiver
    std::uint32_t largest_ = 0;
    std::vector<NDK_SGE> sgl_;

    std::uint64_t posted_ = 0;
    std::uint64_t completed_ = 0;
    std::uint64_t receives_posted_ = 0;
    std::uint64_t receives_rung_ = 0;
    std::uint64_t credited_ = 0;
    Ring<Picoseconds> credits_;  // when receives were posted that the sender has not counted yet
    std::uint64_t received_ = 0;
    std::uint64_t received_bytes_ = 0;
    std::uint64_t failed_ = 0;
    std::uint64_t queue_full_ = 0;
    Arrivals arrivals_;
    QueuePairChoice choice_;
    std::optional<Picoseconds> wanted_;  // when a message was wanted that could not be posted yet
    Account wait_ = Account::slot;       // what it waits for
    Account kept_by_ = Account::slot;    // what no message could be posted without, last
    Picoseconds kept_until_{};           // and when it was there
    std::uint64_t repost_batch_ = 1;
    std::uint64_t receives_kept_ = 0;  // buffers taken that wait for others
    std::uint64_t receives_owed_ = 0;  // and those to be posted again now
    StateTimes waits_;
    Wait waits_for_ = Wait::none;
    Picoseconds waits_since_{};
    bool found_queue_full_ = false;  // the post that was tried last
    Ring<Picoseconds> awaiting_delivery_;
    MeasuredRate measured_;
    MeasuredLatency latency_;
    MeasuredLatency delivery_;
};

}  // namespace ndsim
