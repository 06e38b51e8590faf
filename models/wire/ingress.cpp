// SPDX-License-Identifier: Apache-2.0
#include "models/wire/ingress.hpp"

#include <algorithm>
#include <array>

#include "models/ports/ranks.hpp"
#include "sim/base/error.hpp"

namespace ndsim {

namespace {

// A packet of the largest MTU on the lane.
constexpr Bytes kLargestPacket = wire_bytes(4096, 16);
// A pause frame: 64 bytes with preamble and gap.
constexpr Bytes kPauseFrame{84};

constexpr std::array<std::string_view, 2> kPeerStates{"peer_free", "peer_held"};
constexpr std::array<std::string_view, 2> kPeerSentences{"", "time between telling the peer to stop and to go on"};

}  // namespace

Ingress::Ingress(const sc_core::sc_module_name& name, Timeline& timeline, const PortParams& params,
                 PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      payloads_(payloads),
      pipeline_(*this, timeline, kRankIngress),
      looks_(*this, timeline, kRankIngress),
      peer_times_(*this, kPeerStates, kPeerSentences),
      rx_buffer_(*this, "rx_buffer", "bytes of the RX buffer in use", params.rx_buffer.count) {
    in.bind(*this);
    buffer.bind(*this);
}

void Ingress::arrive(const Packet& packet, Interval at) {
    for (int i = 0; i < taps.size(); ++i) {
        taps[i]->arrives(packet, at);
    }
    pipeline_.push(at.start + params_.rx_pipe, {packet, at.end + params_.rx_pipe});
}

void Ingress::processed(const Arrival& arrival) {
    const Bytes bytes = wire_bytes(arrival.packet);
    ++packets_;
    bytes_ += bytes.count;
    packet_.set(lane_state(arrival.packet.opcode), now());
    if (arrival.packet.damaged) {
        ++damaged_;  // no reply, no change of state [X28]
        payloads_.give(arrival.packet.payload);
        return;
    }
    if (rx_buffer_.available(now()) < bytes.count) {
        if (params_.pause) {
            throw InvariantError(name(), now(), "the RX buffer overflows");
        }
        ++overflows_;  // the requester finds out by its NAK or timeout
        payloads_.give(arrival.packet.payload);
        return;
    }
    rx_buffer_.take(bytes.count, now());
    if (params_.pause && !holds_peer_ && rx_buffer_.available(now()) < headroom()) {
        holds_peer_ = true;
        peer_times_.enter(1, now());
        ++pauses_;
        peer->pause(true, std::max(now(), back->free_at()) + back->rate().time(kPauseFrame) + back->flight());
    }
    transport->receive(arrival.packet, {now(), arrival.last});
}

// What may still come after a pause frame is sent: whatever is on its way during the round trip, and one packet on
// either lane that has already begun.
std::uint64_t Ingress::headroom() const {
    const Picoseconds round_trip =
        2 * back->flight() + params_.rx_pipe + back->rate().time(kPauseFrame + kLargestPacket);
    return static_cast<std::uint64_t>(round_trip.count()) * back->rate().den / back->rate().num +
           2 * kLargestPacket.count;
}

void Ingress::drained(Bytes bytes, Picoseconds when) {
    rx_buffer_.give_at(bytes.count, when);
    if (holds_peer_ && !look_pending_) {
        look_pending_ = true;
        looks_.push(std::max(now(), when), 0);
    }
}

void Ingress::look_for_room(const int&) {
    look_pending_ = false;
    if (!holds_peer_) {
        return;
    }
    // Half empty, and room for all that comes until the next pause takes effect.
    const std::uint64_t wanted = std::clamp(headroom(), rx_buffer_.capacity() / 2, rx_buffer_.capacity());
    if (rx_buffer_.available(now()) >= wanted) {
        holds_peer_ = false;
        peer_times_.enter(0, now());
        peer->pause(false, std::max(now(), back->free_at()) + back->rate().time(kPauseFrame) + back->flight());
    } else if (const auto at = rx_buffer_.when_available(wanted, now())) {
        look_pending_ = true;
        looks_.push(*at, 0);
    }
}

void Ingress::report(StatSink& sink) const {
    sink.add("packets", packets_, StatUnit::count, "packets received");
    sink.add("bytes", bytes_, StatUnit::bytes, "bytes received, preamble and gap included");
    sink.add("damaged", damaged_, StatUnit::count, "packets dropped for a wrong ICRC");
    sink.add("overflows", overflows_, StatUnit::count, "packets dropped as the RX buffer was full");
    sink.add("pauses", pauses_, StatUnit::count, "times the peer was told to stop");
}

void Ingress::check_idle() const {
    if (!pipeline_.empty()) {
        throw InvariantError(name(), now(), "packets are still in the pipeline at the end");
    }
}

}  // namespace ndsim
