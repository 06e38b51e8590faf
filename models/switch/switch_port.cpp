// SPDX-License-Identifier: Apache-2.0
#include "models/switch/switch_port.hpp"

#include <algorithm>
#include <array>

#include "models/switch/switch.hpp"
#include "sim/base/invariant_error.hpp"

namespace ndsim {

namespace {

constexpr std::array<std::string_view, 2> kPauseSentences{"", "time held by the neighbour's pause frames"};

}  // namespace

SwitchPort::SwitchPort(const sc_core::sc_module_name& name, Timeline& timeline, Switch& whole, std::size_t index,
                       const SwitchParams& params, std::optional<Bytes> part)
    : Unit(name, timeline),
      whole_(whole),
      index_(index),
      params_(params),
      took_from_(index),
      lane_free_(*this, timeline, kRankEgress),
      pauses_(*this, timeline, kRankIngress),
      queue_(*this, params.port_buffer == Bytes{} ? kWholeQueuePool : kQueuePool,
             params.port_buffer == Bytes{} ? params.buffer.count : params.port_buffer.count),
      paused_(*this, "the neighbour holds this port", kPauseSentences) {
    in.bind(*this);
    pause_in.bind(*this);
    if (part) {
        input_.emplace(*this, timeline, *part);
    }
}

SwitchPort::Input::Input(SwitchPort& port, Timeline& timeline, Bytes part)
    : pool(port, kInputPool, part.count), hold(port, timeline, port.peer, port.lane, port.params_.latency, pool) {}

void SwitchPort::arrive(const Packet& packet, Interval at) {
    for (int i = 0; i < taps.size(); ++i) {
        taps[i]->arrives(packet, at);
    }
    const Interval ready{at.start + params_.latency, at.end + params_.latency};
    if (params_.forwarding == Forwarding::store_and_forward) {
        whole_.forward(packet, *this, ready.end);
        return;
    }
    const Picoseconds service = whole_.way_to(packet.to).lane->rate().time(wire_bytes(packet));
    whole_.forward(packet, *this, cut_through_start(ready, service, Picoseconds{}));
}

void SwitchPort::enqueue(const Packet& packet, SwitchPort& from) {
    if (needs_room(packet) && !take_room(packet, from)) {
        ++drops_;  // the requester learns by its NAK or timeout
        dropped_.set(packet.request, now());
        for (int i = 0; i < from.taps.size(); ++i) {
            from.taps[i]->lost(packet);
        }
        whole_.payloads().give(packet.payload);
        return;
    }
    took_from_ = from.index_;
    waiting_.push({packet, &from, now()});
    grant();
}

bool SwitchPort::take_room(const Packet& packet, SwitchPort& from) {
    const std::uint64_t bytes = wire_bytes(packet).count;
    Pool& buffer = whole_.buffer();
    if (queue_.available(now()) < bytes || buffer.available(now()) < bytes ||
        (from.input_ && from.input_->pool.available(now()) < bytes)) {
        return false;
    }
    queue_.take(bytes, now());
    buffer.take(bytes, now());
    if (from.input_) {
        from.input_->pool.take(bytes, now());
        from.input_->hold.filled();
    }
    return true;
}

void SwitchPort::grant() {
    while (!paused_.is_paused() && !waiting_.empty()) {
        if (lane->free_at() > now()) {
            if (!lane_free_.due()) {
                lane_free_.set(lane->free_at());
            }
            return;
        }
        put(waiting_.pop());
    }
}

void SwitchPort::put(const Queued& queued) {
    const Packet& packet = queued.packet;
    const std::uint64_t bytes = wire_bytes(packet).count;
    ++packets_;
    bytes_ += bytes;
    const Interval sent = lane->put(packet);
    if (needs_room(packet)) {
        queue_.give_at(bytes, sent.end);
        whole_.buffer().give_at(bytes, sent.end);
        if (queued.from->input_) {
            queued.from->input_->pool.give_at(bytes, sent.end);
            queued.from->input_->hold.drained(sent.end);
        }
    }
    if (info(packet.opcode).last) {
        left_queue(queued, sent.start);
        whole_.ledgers().mark(packet.request, Account::wire, sent.end + lane->flight());
    }
}

// A message's last packet has waited behind others until `at`.
void SwitchPort::left_queue(const Queued& queued, Picoseconds at) {
    whole_.ledgers().mark(queued.packet.request, {{Account::wire, queued.since}, {Account::switch_, at}});
}

void SwitchPort::pause(bool stop, Picoseconds at) {
    pauses_.push(at, {stop});
}

void SwitchPort::pause_arrives(const Pause& pause) {
    if (!paused_.set(pause.stop) || pause.stop) {
        return;
    }
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
        const Queued& queued = waiting_[i];
        if (info(queued.packet.opcode).last) {
            left_queue(queued, std::max(paused_.since(), queued.since));
            whole_.ledgers().mark(queued.packet.request, Account::pause, now());
        }
    }
    grant();
}

void SwitchPort::report(StatSink& sink) const {
    sink.add("packets", packets_, StatUnit::count, "packets sent");
    sink.add("bytes", bytes_, StatUnit::bytes, "bytes sent, including preamble and gap");
    sink.add("drops", drops_, StatUnit::count, "packets for this port that were dropped for lack of room");
    sink.add("pauses", input_ ? input_->hold.pauses() : 0, StatUnit::count, "times the neighbour was told to stop");
}

void SwitchPort::check_idle() const {
    if (!waiting_.empty()) {
        throw InvariantError(name(), now(), "packets are still waiting at the end");
    }
}

}  // namespace ndsim
