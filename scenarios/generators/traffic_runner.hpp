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

// TrafficRunner: a generator. The sender keeps at most `window` messages outstanding, on queue pairs that it chooses.
// In an open loop it wants them at their arrivals; a message that cannot be posted then is posted later, but its time
// counts from its arrival. The receiver of Sends takes them and posts its buffers again. Each side runs on its own
// core, called again whenever there may be something to do.
class TrafficRunner {
public:
    TrafficRunner(World& world, HostSide& from, HostSide& to, const Traffic& traffic, const Measure& measure);

    // Run on each side's main core when the queue pairs are connected: buffers, and the receives posted ahead. Blocks.
    void prepare_sender();
    void prepare_receiver();
    // Both sides begin at `at`.
    void start(Picoseconds at);
    // Called once when the warm-up is over, and once when the window is complete.
    void on_warm(std::function<void()> callback) { measured_.on_warm(std::move(callback)); }
    void on_complete(std::function<void()> callback) { measured_.on_complete(std::move(callback)); }

    // A generator ends with its last message, or with the first failure, which ends its connection. If the completion
    // queue of its requests overruns, some never complete; if that of its receives does, no request may be under way.
    [[nodiscard]] bool finished() const {
        return (completed_ == traffic_.count && received_ == traffic_.count) ||
               ((failed_ > 0 || receives_done_.has_failed()) && completed_ == posted_) || sends_done_.has_failed();
    }
    // The data that has reached its destination, unfinished messages included.
    [[nodiscard]] Placed moved() const;
    [[nodiscard]] std::uint64_t completed() const { return received_; }
    // When the next wanted message began; every message still to be posted began then or later.
    [[nodiscard]] Picoseconds next_begins() const {
        const bool more = arrivals_.open() && posted_ < traffic_.count;
        return wanted_.value_or(more ? arrivals_.next() : Picoseconds::max());
    }
    [[nodiscard]] std::string where() const;
    void report(Metrics& metrics) const;

private:
    // A queue pair. A completion of its requests leads back to it.
    struct Lane : CompletionInbox::Context {
        NDK_QP* qp = nullptr;
        std::uint64_t posted = 0;
        std::uint64_t completed = 0;
        Ring<Picoseconds> awaiting;  // post times of requests not yet completed
    };

    // Source or target of its messages.
    struct Memory {
        std::byte* data = nullptr;
        std::uint32_t token = 0;
    };

    // The reason why the sender, with a message to post, waits: none, its window, a slot of the queue, a completion
    // that was not asked for, a receive of the peer.
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
    void post_owed_receives();  // as many as the core can store
    void take_completions(std::span<const NDK_RESULT> results);
    void take_messages(std::span<const NDK_RESULT> results);
    [[nodiscard]] std::uint32_t size_of(std::uint64_t message) const;
    [[nodiscard]] bool is_one_sided() const { return traffic_.operation != TrafficOperation::send; }
    [[nodiscard]] bool is_read() const { return traffic_.operation == TrafficOperation::read; }
    // Each side has all its buffers in one region, one behind the other.
    [[nodiscard]] std::uint64_t memory_size() const;
    [[nodiscard]] std::uint64_t place_of(std::uint64_t message) const {
        return message % traffic_.buffers * traffic_.buffer_step().count;
    }
    [[nodiscard]] NTSTATUS post(Lane& lane);
    [[nodiscard]] ULONG flags_of(const Lane& lane) const;
    // A message has ended; counts it in the window's figures.
    void measure(Picoseconds at, std::uint64_t bytes, Picoseconds begun);
    void note_moved();  // at the window's edges

    const Traffic& traffic_;
    HostSide& from_;
    HostSide& to_;
    Core& sender_;
    Core& receiver_;
    const Nic& placing_;              // the NIC that puts messages into memory
    std::vector<QpNum> placing_qps_;  // and that NIC's queue pairs
    std::vector<Lane> lanes_;
    NDK_QP* receive_qp_ = nullptr;
    CompletionInbox sends_done_;
    CompletionInbox receives_done_;
    CompletionInbox::Context receive_context_{&receives_done_};
    Memory source_;
    Memory sink_;
    RemoteRange remote_;  // memory of a Write or Read at the receiver
    std::uint32_t largest_ = 0;
    std::vector<NDK_SGE> sgl_;

    std::uint64_t posted_ = 0;
    std::uint64_t completed_ = 0;
    std::uint64_t receives_posted_ = 0;
    std::uint64_t receives_rung_ = 0;
    std::uint64_t credited_ = 0;
    Ring<Picoseconds> credits_;  // post times of receives that the sender has not counted yet
    std::uint64_t received_ = 0;
    std::uint64_t received_bytes_ = 0;
    std::uint64_t failed_ = 0;
    std::uint64_t queue_full_ = 0;
    Arrivals arrivals_;
    QueuePairChoice choice_;
    std::optional<Picoseconds> wanted_;  // arrival of a message that could not be posted yet
    Account wait_ = Account::slot;       // reason of its wait
    Account kept_by_ = Account::slot;    // the last thing missing for a message
    Picoseconds kept_until_{};           // and when that was there
    std::uint64_t repost_batch_ = 1;
    std::uint64_t receives_kept_ = 0;  // taken buffers that wait for others
    std::uint64_t receives_owed_ = 0;  // buffers to post again now
    StateTimes waits_;
    Wait waits_for_ = Wait::none;
    Picoseconds waits_since_{};
    bool found_queue_full_ = false;  // by the last post tried
    Ring<Picoseconds> awaiting_delivery_;
    MeasuredRate measured_;
    MeasuredLatency latency_;
    MeasuredLatency delivery_;
};

}  // namespace ndsim
