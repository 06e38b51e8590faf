// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/proto/packet.hpp"
#include "sim/base/exact_rate.hpp"
#include "sim/base/ring.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

// Assembly: packets between their issue and the transmitter. Each waits for its payload and for earlier packets of its
// stream (a queue pair's requests, or its responses).
class Assembly {
public:
    // An issued packet, with its times once they are known.
    struct Built {
        Packet packet;
        std::uint32_t stream = 0;
        Interval ready;  // its first grain is built at .start, its last byte at .end
        bool timed = false;
        bool dropped = false;  // no longer wanted
    };

    // A slot for the next packet of a stream; it is not in the stream until add().
    [[nodiscard]] std::uint32_t take(std::uint32_t stream, const Packet& packet) {
        const std::uint32_t slot = take_slot(slots_, free_);
        Built& built = slots_[slot];
        built.packet = packet;
        built.stream = stream;
        built.timed = false;
        built.dropped = false;
        return slot;
    }
    void give(std::uint32_t slot) { free_.push_back(slot); }
    void add(std::uint32_t slot) { stream_of(slots_[slot].stream).issued.push(slot); }
    void set_ready(std::uint32_t slot, Interval ready) {
        slots_[slot].ready = ready;
        slots_[slot].timed = true;
    }
    // Packets of the stream come out as dropped when their payload is there.
    void drop(std::uint32_t stream) {
        Ring<std::uint32_t>& issued = stream_of(stream).issued;
        for (std::size_t i = 0; i < issued.size(); ++i) {
            slots_[issued[i]].dropped = true;
        }
    }
    [[nodiscard]] const Built& at(std::uint32_t slot) const { return slots_[slot]; }
    // Calls out(Built, slot) for each complete packet of the stream, in order. A short packet does not overtake.
    template <class Out>
    void hand_on(std::uint32_t stream, Out&& out) {
        while (!stream_of(stream).issued.empty() && slots_[stream_of(stream).issued.front()].timed) {
            const std::uint32_t slot = stream_of(stream).issued.pop();
            free_.push_back(slot);
            Built built = slots_[slot];
            if (!built.dropped) {
                Picoseconds& last = streams_[stream].last_ready;
                last = std::max(last, built.ready.start);
                built.ready = {last, std::max(built.ready.end, last)};
            }
            out(built, slot);
        }
    }
    [[nodiscard]] bool is_empty(std::uint32_t stream) const {
        return stream >= streams_.size() || streams_[stream].issued.empty();
    }
    [[nodiscard]] bool empty() const { return free_.size() == slots_.size(); }

private:
    // The packets of one stream, in order.
    struct Stream {
        Ring<std::uint32_t> issued;
        Picoseconds last_ready{};
    };
    [[nodiscard]] Stream& stream_of(std::uint32_t stream) { return grown(streams_, stream); }

    std::vector<Built> slots_;
    std::vector<std::uint32_t> free_;
    std::vector<Stream> streams_;
};

}  // namespace ndsim
