// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/endpoint.hpp"
#include "sim/base/units.hpp"
#include "sim/config/field.hpp"
#include "sim/config/problems.hpp"

namespace ndsim {

// The operation of a generator. A Write or Read needs no receive, and is measured at the sender.
enum class TrafficOperation : std::uint8_t { send, write, read };
inline constexpr std::array<std::string_view, 3> kTrafficOperationNames{"send", "write", "read"};

// When a generator wants its messages: as soon as its window allows, or at times independent of their fate.
enum class ArrivalKind : std::uint8_t { closed, fixed, poisson, on_off, trace };
inline constexpr std::array<std::string_view, 5> kArrivalKindNames{"closed", "fixed", "poisson", "on_off", "trace"};

// How a generator chooses the queue pair of a message. Random choices are equally likely; weighted ones have the
// probability of their share of all weights.
enum class QueuePairOrder : std::uint8_t { random, round_robin, weighted };
inline constexpr std::array<std::string_view, 3> kQueuePairOrderNames{"random", "round_robin", "weighted"};

// A generator of messages from one queue pair to another, or from several: it keeps `window` of them outstanding.
struct Traffic {
    Position at;
    std::string name;
    Endpoint from;                          // queue pair A.q0
    Endpoint to;                            // B.q0
    std::vector<Bytes> sizes{Bytes{4096}};  // of the messages, in turn
    std::vector<Bytes> sgl;  // sizes of the entries of each message; empty: one entry. Their sum is the size
    TrafficOperation operation = TrafficOperation::send;
    std::uint32_t queue_pairs = 1;
    QueuePairOrder choose = QueuePairOrder::random;
    std::vector<std::uint32_t> weights;  // of the queue pairs, for a weighted choice
    std::uint64_t count = 1000;
    std::uint32_t window = 16;
    std::uint32_t signal_every = 1;
    std::uint32_t solicit_every = 0;
    std::uint32_t poll_batch = 16;
    bool inlined = false;
    bool credits = true;
    Picoseconds think_time{};
    std::uint32_t receives = 0;  // posted ahead; 0: as many as the receive queue holds
    std::uint32_t repost_batch = 1;
    std::uint32_t buffers = 1;
    ArrivalKind arrivals = ArrivalKind::closed;
    Picoseconds interval = std::chrono::microseconds{1};
    std::uint32_t burst = 16;
    Picoseconds pause = std::chrono::microseconds{10};
    std::string trace;               // file of "trace" arrivals
    std::vector<Picoseconds> times;  // its contents
    // The shared queue from which its messages take receives, when the scenario is complete.
    struct SharedQueue {
        std::string name;         // empty: the receives are the queue pair's own
        std::uint64_t ahead = 0;  // receives that this generator posts ahead
        Bytes largest;            // message of all generators that use it
    };
    SharedQueue srq;

    static constexpr std::uint32_t kMostQueuePairs = 10'000;
    static constexpr std::uint32_t kLargestWeight = 1'000'000;
    static constexpr Bytes kMostMemory{1ULL << 30U};  // for several buffers

    // Nobody can count on a receive that any message may take.
    [[nodiscard]] bool uses_credits() const { return credits && srq.name.empty(); }
    [[nodiscard]] Bytes largest() const { return *std::max_element(sizes.begin(), sizes.end()); }
    // The size of a buffer, which is that of a receive.
    [[nodiscard]] Bytes room() const { return std::max(largest(), srq.largest); }
    // From one buffer to the next: each begins at a line of the cache.
    [[nodiscard]] Bytes buffer_step() const { return {std::max<std::uint64_t>(1, (room().count + 63) / 64) * 64}; }

    // A queue pair gets weight_of(n) of each weight_of_all() messages.
    [[nodiscard]] std::uint64_t weight_of(std::uint32_t n) const { return weights.empty() ? 1 : weights[n]; }
    [[nodiscard]] std::uint64_t weight_of_all() const {
        return weights.empty() ? queue_pairs : std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    }
    [[nodiscard]] std::uint64_t largest_weight() const {
        return weights.empty() ? 1 : *std::max_element(weights.begin(), weights.end());
    }

    // The n-th queue pair of an end: "A.q0", then "A.q0_1" and so on.
    [[nodiscard]] static Endpoint queue_pair(const Endpoint& end, std::uint32_t n) {
        return n == 0 ? end : Endpoint{end.host, end.name + "_" + std::to_string(n)};
    }

    template <class Field>
    void fields(Field&& field) {
        using std::chrono::milliseconds;
        field("count", count, between(std::uint64_t{1}, std::uint64_t{1'000'000'000'000'000}),
              "messages to send; with a trace, if this is not given, one for each of its times", Mark::documented);
        field("window", window, between(1U, 32768U), "messages outstanding", Mark::documented);
        field("operation", operation, kTrafficOperationNames,
              "Sends to receives, Writes into the receiver's memory, or Reads from it", Mark::documented);
        field("queue_pairs", queue_pairs, between(1U, kMostQueuePairs),
              "queue pairs: q0, q0_1, q0_2 ...; for a send they share a receive queue", Mark::documented);
        field("choose", choose, kQueuePairOrderNames,
              "which of several queue pairs a message takes: a random one, each in turn, or a random one by weight",
              Mark::documented);
        field("signal_every", signal_every, between(1U, 32768U),
              "every n-th request asks for a completion; latency is that of these requests", Mark::documented);
        field("solicit_every", solicit_every, between(0U, 1U << 30U), "every n-th message is solicited; 0: none",
              Mark::documented);
        field("poll_batch", poll_batch, between(1U, 1024U), "completions taken with one poll", Mark::documented);
        field("inline", inlined, "messages are carried in the WQE", Mark::documented);
        field(
            "credits", credits,
            "the sender sends only messages whose receive the peer's NIC knows of, and learns of that at no cost; not "
            "with a shared receive queue",
            Mark::documented);
        field("think_time", think_time, between(Picoseconds{0}, milliseconds{1000}),
              "how long software computes between a completion and the next request", Mark::documented);
        field("receives", receives, between(0U, 32768U),
              "receives posted ahead; 0: as many as the receive queue holds, or an equal share of a shared one",
              Mark::documented);
        field("repost_batch", repost_batch, between(1U, 32768U),
              "receives posted again together, at most as many as were posted ahead", Mark::documented);
        field("buffers", buffers, between(1U, 65536U), "buffers of a message's size on each side, used in turn",
              Mark::documented);
        field("arrivals", arrivals, kArrivalKindNames,
              "when messages are requested: whenever the window allows, at a fixed interval, at random, in bursts, "
              "from a trace",
              Mark::documented);
        field("interval", interval, between(Picoseconds{1}, milliseconds{1000}),
              "time between two arrivals; for poisson the mean, for on_off within a burst", Mark::documented);
        field("burst", burst, between(1U, 1U << 30U), "for on_off: messages of a burst", Mark::documented);
        field("pause", pause, between(Picoseconds{1}, milliseconds{1000}),
              "for on_off: time from the last message of a burst to the next burst", Mark::documented);
    }
};

}  // namespace ndsim
