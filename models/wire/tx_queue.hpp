// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/proto/packet.hpp"
#include "sim/base/ring.hpp"

namespace ndsim {

// TxQueue: requests, or responses, handed to the transmitter. Each is ready from its start time on; they are in the
// order of these times, then of their coming.
class TxQueue {
public:
    static constexpr Picoseconds kNever = Picoseconds::max();

    // `start` is not before the time of the last look(). An awaited packet's payload is there at `start` only.
    void push(const Packet& packet, Picoseconds start, bool awaited);
    // Packets that may start at `now` become ready. Returns the number of awaited ones among them.
    std::uint32_t look(Picoseconds now) { return next_start() <= now ? take_ready(now) : 0; }
    // The first ready packet.
    [[nodiscard]] Packet pop();

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] std::size_t ready() const { return ready_; }
    [[nodiscard]] const Packet& operator[](std::size_t i) const { return entries_[i].packet; }
    // The start time of the first packet that is not ready.
    [[nodiscard]] Picoseconds next_start() const { return next_start_; }

private:
    // A packet, and when it may start.
    struct Entry {
        Picoseconds start{};
        Packet packet;
        bool awaited = false;
    };

    std::uint32_t take_ready(Picoseconds now);

    Ring<Entry> entries_;
    std::size_t ready_ = 0;  // of the entries, from the front
    Picoseconds next_start_ = kNever;
};

}  // namespace ndsim
