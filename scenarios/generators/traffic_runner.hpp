// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenarios/generators/traffic_receiver.hpp"
#include "scenarios/generators/traffic_sender.hpp"

namespace ndsim {

// TrafficRunner: a generator: a sender and a receiver, each on its own core, and what they report together.
class TrafficRunner {
public:
    TrafficRunner(World& world, HostSide& from, HostSide& to, const Traffic& traffic, const Measure& measure);

    // Run on each side's main core when the queue pairs are connected: buffers, and the receives posted ahead. Blocks.
    void prepare_sender();
    void prepare_receiver() { receiver_.prepare(); }
    // Both sides begin at `at`.
    void start(Picoseconds at);
    // Called once when the warm-up is over, and once when the window is complete.
    void on_warm(std::function<void()> callback) { figures_.on_warm(std::move(callback)); }
    void on_complete(std::function<void()> callback) { figures_.on_complete(std::move(callback)); }

    // Called behind each message.
    void on_message(std::function<void()> callback) { figures_.on_message(std::move(callback)); }

    // A generator ends with its last message, or with the first failure, which ends its connection. If the completion
    // queue of its requests overruns, some never complete; if that of its receives does, no request may be under way.
    [[nodiscard]] bool finished() const;
    // The data that has reached its destination, unfinished messages included.
    [[nodiscard]] PlacedPayload moved() const;
    [[nodiscard]] std::uint64_t completed() const { return figures_.messages(); }
    // When the next wanted message began; every message still to be posted began then or later.
    [[nodiscard]] Picoseconds next_begins() const { return sender_.next_begins(); }
    [[nodiscard]] std::string where() const;
    void report(Metrics& metrics) const { figures_.report(metrics); }

private:
    const Traffic& traffic_;
    const TrafficShape shape_;
    NdkFace& placing_face_;           // of the host whose NIC puts messages into memory
    const Nic& placing_;              // that NIC
    std::vector<QpNum> placing_qps_;  // and its queue pairs
    TrafficFigures figures_;
    Ring<Picoseconds> credits_;  // from when on the sender may count on receives that it has not counted yet
    TrafficSender sender_;
    TrafficReceiver receiver_;
};

}  // namespace ndsim
