// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "models/parts/ranks.hpp"
#include "models/ports/lane.hpp"
#include "models/proto/packet.hpp"
#include "sim/kernel/alarm.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/state_times.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// PauseSender: keeps the buffer of a port from overflowing. If its free space is less than what may still come, a pause
// frame stops the peer. If it is half empty and has room for that much, another frame lets the peer go on.
class PauseSender final {
public:
    // The peer's sender, and our own lane to it; none without a cable.
    using Peer = sc_core::sc_port<PausePort, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
    using Back = sc_core::sc_port<LanePort, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

    // `pipe`: from behind the port's MAC into the buffer.
    PauseSender(Unit& owner, Timeline& timeline, Peer& peer, Back& back, Picoseconds pipe, Pool& buffer)
        : owner_(owner),
          peer_(peer),
          back_(back),
          pipe_(pipe),
          buffer_(buffer),
          look_(*this, timeline, kRankIngress),
          times_(owner, kStates, kSentences) {}

    // A packet has taken room in the buffer.
    void filled() {
        if (!holds_ && buffer_.available(now()) < headroom()) {
            holds_ = true;
            times_.enter(1, now());
            ++pauses_;
            send(true);
        }
    }
    // Room in the buffer comes back at `when`.
    void drained(Picoseconds when) {
        if (holds_ && !look_.due()) {
            look_.set(std::max(now(), when));
        }
    }
    [[nodiscard]] std::uint64_t pauses() const { return pauses_; }

private:
    static constexpr std::array<std::string_view, 2> kStates{"peer_free", "peer_held"};
    static constexpr std::array<std::string_view, 2> kSentences{"",
                                                                "time between telling the peer to stop and to go on"};

    void look() {  // Alarm: the buffer may be empty enough to let the peer go on
        if (!holds_) {
            return;
        }
        // Half empty, and room for all that comes until the next pause takes effect.
        const std::uint64_t wanted = std::clamp(headroom(), buffer_.capacity() / 2, buffer_.capacity());
        if (buffer_.available(now()) >= wanted) {
            holds_ = false;
            times_.enter(0, now());
            send(false);
        } else if (const auto at = buffer_.when_available(wanted, now())) {
            look_.set(*at);
        }
    }
    // The most that may still come after a pause frame is sent: everything on its way during the round trip, and one
    // packet on either lane that has already begun. Computed once, when the ports are bound.
    [[nodiscard]] std::uint64_t headroom() {
        if (headroom_ == 0) {
            headroom_ = compute_headroom();
        }
        return headroom_;
    }
    [[nodiscard]] std::uint64_t compute_headroom() const {
        const Bytes largest = wire_bytes(4096, 16, back_->framing());
        const Picoseconds round_trip = 2 * back_->flight() + pipe_ + back_->rate().time(pause_frame() + largest);
        return static_cast<std::uint64_t>(round_trip.count()) * back_->rate().den / back_->rate().num +
               2 * largest.count;
    }
    void send(bool stop) {
        peer_->pause(stop, std::max(now(), back_->free_at()) + back_->rate().time(pause_frame()) + back_->flight());
    }
    [[nodiscard]] Bytes pause_frame() const { return {bytes_of(back_->framing()).pause}; }
    [[nodiscard]] Picoseconds now() const { return owner_.now(); }

    Unit& owner_;
    Peer& peer_;
    Back& back_;
    const Picoseconds pipe_;
    Pool& buffer_;
    std::uint64_t headroom_ = 0;
    bool holds_ = false;
    Alarm<&PauseSender::look> look_;
    StateTimes times_;
    std::uint64_t pauses_ = 0;
};

}  // namespace ndsim
