// SPDX-License-Identifier: Apache-2.0
#include "models/wire/tx_queue.hpp"

namespace ndsim {

// Sorted in from the end, since packets are built nearly in time order.
void TxQueue::push(const Packet& packet, Picoseconds start, bool awaited) {
    std::size_t place = entries_.size();
    entries_.add();
    for (; place > ready_ && entries_[place - 1].start > start; --place) {
        entries_[place] = entries_[place - 1];
    }
    Entry& entry = entries_[place];
    entry.start = start;
    entry.packet = packet;
    entry.awaited = awaited;
    next_start_ = entries_[ready_].start;
}

std::uint32_t TxQueue::take_ready(Picoseconds now) {
    std::uint32_t awaited = 0;
    for (; ready_ < entries_.size() && entries_[ready_].start <= now; ++ready_) {
        awaited += entries_[ready_].awaited ? 1 : 0;
    }
    next_start_ = ready_ < entries_.size() ? entries_[ready_].start : kNever;
    return awaited;
}

Packet TxQueue::pop() {
    --ready_;
    return entries_.pop().packet;
}

}  // namespace ndsim
