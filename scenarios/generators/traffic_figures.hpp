// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/transport/placed_payload.hpp"
#include "scenarios/generators/traffic_shape.hpp"
#include "scenarios/measure/measured_latency.hpp"
#include "scenarios/measure/measured_rate.hpp"
#include "scenarios/measure/metrics.hpp"
#include "sim/base/ring.hpp"

namespace ndsim {

// TrafficFigures: what a generator reports: its messages and failures, their rates and latencies in the measured
// window. Both sides tell it of their messages.
class TrafficFigures {
public:
    // `moved` says how much data has reached its destination, unfinished messages included.
    TrafficFigures(const Traffic& traffic, const TrafficShape& shape, const Measure& measure,
                   std::function<PlacedPayload()> moved);

    // Called once when the warm-up is over, and once when the window is complete.
    void on_warm(std::function<void()> callback) { measured_.on_warm(std::move(callback)); }
    void on_complete(std::function<void()> callback) { measured_.on_complete(std::move(callback)); }
    // Called behind each message, whether it is measured or not.
    void on_message(std::function<void()> callback) { on_message_ = std::move(callback); }
    void begin(Picoseconds at);

    // A message that began then is posted to one of the queue pairs; one that the receiver is to take.
    void posted(std::size_t queue_pair, Picoseconds begun);
    // The receiver has taken a message of this queue pair, at `at`; the poll that found it returned at `polled_at`.
    void received(std::size_t queue_pair, Picoseconds polled_at, Picoseconds at, std::uint64_t bytes);
    // The sender knows that message `number`, which began at `begun`, has ended well. If the sender alone has part in
    // the messages, it has been received, too.
    void completed(Picoseconds at, std::uint64_t number);
    // The latency of that message, from its begin to the sender's poll.
    void took(std::uint64_t number, Picoseconds span);
    void arrived() { ++received_; }
    void failed() { ++failed_; }
    void queue_was_full() { ++queue_full_; }

    // Messages received, or written or read.
    [[nodiscard]] std::uint64_t messages() const { return received_; }
    [[nodiscard]] std::uint64_t failures() const { return failed_; }
    void report(Metrics& metrics) const;

private:
    void measure(Picoseconds at, std::uint64_t bytes);
    void note_moved();  // at the window's edges
    [[nodiscard]] std::optional<bool> is_steady() const;

    const Traffic& traffic_;
    const TrafficShape& shape_;
    std::function<PlacedPayload()> moved_;
    std::function<void()> on_message_;
    std::uint64_t received_ = 0;
    std::uint64_t received_bytes_ = 0;
    std::uint64_t failed_ = 0;
    std::uint64_t queue_full_ = 0;
    std::vector<Ring<Picoseconds>> awaiting_delivery_;  // by queue pair: when the messages not yet received began
    MeasuredRate measured_;
    MeasuredLatency latency_;
    MeasuredLatency delivery_;
};

}  // namespace ndsim
