// SPDX-License-Identifier: Apache-2.0
#include "models/wire/egress.hpp"

#include "models/parts/ranks.hpp"
#include "models/ports/qp.hpp"
#include "sim/base/invariant_error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

namespace {

constexpr std::array<std::string_view, 2> kPauseSentences{"", "time held by the peer's pause frames"};
enum State : std::size_t { kIdle, kBusy, kPause, kPayloadRead };
constexpr std::array kEgressStates{
    EngineState{EngineState::kIdle, ""}, EngineState{EngineState::kBusy, "time with a packet on the lane"},
    EngineState{"pause", "time with a packet that may not start because the peer holds the port"},
    EngineState{"payload_read", "time with no packets but those whose payload has yet to arrive"}};

}  // namespace

Egress::Egress(const sc_core::sc_module_name& name, Timeline& timeline, const PortParams& params, HostId host,
               Ledgers& ledgers)
    : Unit(name, timeline),
      params_(params),
      host_(host),
      ledgers_(ledgers),
      ready_(*this, timeline, kRankTransport),
      ready_acks_(*this, timeline, kRankTransport),
      lane_free_(*this, timeline, kRankEgress),
      pauses_(*this, timeline, kRankIngress),
      tx_fifo_(*this, kTxFifoPool, params.tx_fifo.count),
      paused_(*this, "the peer holds this port", kPauseSentences),
      times_(*this, {}, kEgressStates) {
    port.bind(*this);
    pause_in.bind(*this);
}

void Egress::look_at_packets() {
    if (next_start() <= now()) {
        awaited_ -= requests_.look(now()) + responses_.look(now());
    }
}

// If the lane is to be looked at anyway, it is busy until then, and a packet that becomes ready meanwhile waits.
void Egress::wait_for_packet() {
    if (!lane_free_.due() && next_start() != TxQueue::kNever) {
        ready_.set(next_start());
    }
}

bool Egress::has_room(Bytes wire_bytes) {
    if (tx_fifo_.available(now()) >= wire_bytes.count) {
        return true;
    }
    starved_ = true;
    // If a departure is booked, look again then; otherwise the next packet on the lane causes a look.
    if (!lane_free_.due()) {
        if (const auto at = tx_fifo_.when_available(wire_bytes.count, now())) {
            lane_free_.set(*at);
        }
    }
    return false;
}

void Egress::reserve(Bytes wire_bytes) {
    tx_fifo_.take(wire_bytes.count, now());
    ++awaited_;
    note();
}

void Egress::release(Bytes wire_bytes) {
    tx_fifo_.give(wire_bytes.count, now());
    --awaited_;
    note();
    if (starved_ && !lane_free_.due()) {
        lane_free_.set(now());
    }
}

void Egress::send(const Packet& packet, Interval ready) {
    const Bytes total = wire_bytes(packet);
    const Bytes grain{std::min<std::uint64_t>(packet.payload_bytes, params_.forward_grain.count)};
    const ExactRate& rate = lane->rate();
    const std::uint32_t index = qp_index(packet.source);
    // A packet never overtakes the one before it of its queue pair, even if it could start earlier.
    const Picoseconds start = cut_through_start(ready, rate.time(total), rate.time(grain));
    Picoseconds& last = grown(last_start_, index)[info(packet.opcode).request ? 0 : 1];
    last = std::max({now(), start, last});
    const bool awaited = ready.start > now() + params_.tx_pipe;
    if (!awaited) {
        --awaited_;
        note();
    }
    queue_of(packet).push(packet, last, awaited);
    wait_for_packet();
}

void Egress::send_control(const Packet& packet, Picoseconds ready) {
    queue_of(packet).push(packet, std::max(now(), ready), false);
    wait_for_packet();
}

void Egress::packet_ready() {
    grant();
    wait_for_packet();
}

void Egress::ack_ready(const QpNum& qp) {
    if (due_acks_.push(qp)) {
        grant();
    }
}

bool Egress::waits(Source source) const {
    switch (source) {
        case Source::requests:
            return requests_.ready() > 0;
        case Source::acks:
            return !due_acks_.empty();
        case Source::responses:
            break;
    }
    return responses_.ready() > 0;
}

void Egress::grant() {
    look_at_packets();
    while (!paused_.is_paused() && anything_waits()) {
        if (lane->free_at() > now()) {
            if (!lane_free_.due()) {
                lane_free_.set(lane->free_at());
            }
            return;
        }
        do {
            last_source_ = (last_source_ + 1) % kSources;
        } while (!waits(static_cast<Source>(last_source_)));
        put_next(static_cast<Source>(last_source_));
    }
    note();
}

// The transmitter's state once the lane is free.
void Egress::note() {
    look_at_packets();
    const std::size_t rest = paused_.is_paused() && anything_waits() ? kPause : awaited_ > 0 ? kPayloadRead : kIdle;
    if (rest != rest_) {
        rest_ = rest;
        times_.enter(rest_, std::max(now(), lane_until_));
    }
}

void Egress::put_next(Source source) {
    if (source == Source::acks) {
        if (std::optional<Packet> ack = acks->make_ack(due_acks_.pop())) {
            ++acks_sent_;
            put(*ack, false);
        }
        return;
    }
    Packet packet = source == Source::requests ? requests_.pop() : responses_.pop();
    put(packet, needs_room(packet));
    if (source == Source::responses) {
        acks->response_sent(packet);
    }
}

void Egress::put(Packet& packet, bool from_fifo) {
    packet.from = host_;
    packet.framing = lane->framing();
    packet.number = ++last_number_;
    bytes_ += wire_bytes(packet).count;
    const Interval on_lane = lane->put(packet);
    lane_until_ = on_lane.end;
    times_.enter(kBusy, on_lane.start);
    times_.enter(rest_, on_lane.end);
    if (from_fifo) {
        tx_fifo_.give_at(wire_bytes(packet).count, on_lane.end);
        if (info(packet.opcode).last) {
            ledgers_.mark(packet.request,
                          {{Account::tx, on_lane.start}, {Account::wire, on_lane.end + lane->flight()}});
        }
        if (packet.ack_request || packet.opcode == Opcode::read_request) {
            sent->request_sent(packet, on_lane.end);
        }
    }
    if (starved_ && !lane_free_.due()) {
        lane_free_.set(on_lane.end);
    }
}

void Egress::lane_free() {
    grant();
    if (starved_) {
        starved_ = false;
        tell_waiters();
    }
    wait_for_packet();
}

// The waiter that was told first last time comes last now.
void Egress::tell_waiters() {
    const int all = waiters.size();
    next_waiter_ = (next_waiter_ + 1) % all;
    for (int i = 0; i < all; ++i) {
        waiters[(next_waiter_ + i) % all]->tx_room();
    }
}

void Egress::pause(bool stop, Picoseconds at) {
    pauses_.push(at, {stop});
}

void Egress::pause_arrives(const Pause& pause) {
    if (!paused_.set(pause.stop)) {
        return;
    }
    if (pause.stop) {
        note();
        return;
    }
    look_at_packets();
    for (const TxQueue* const queue : {&requests_, &responses_}) {
        for (std::size_t i = 0; i < queue->ready(); ++i) {
            ledgers_.mark((*queue)[i].request, {{Account::tx, paused_.since()}, {Account::pause, now()}});
        }
    }
    grant();
}

void Egress::report(StatSink& sink) const {
    sink.add("packets", last_number_, StatUnit::count, "packets sent");
    sink.add("bytes", bytes_, StatUnit::bytes, "bytes sent, including preamble and gap");
    sink.add("acks", acks_sent_, StatUnit::count, "acknowledgements sent");
    sink.add("acks_merged", due_acks_.merged(), StatUnit::count, "acknowledgements that became part of a waiting one");
}

void Egress::check_idle() const {
    if (!requests_.empty() || !responses_.empty() || !due_acks_.empty()) {
        throw InvariantError(name(), now(), "packets are still waiting at the end");
    }
}

}  // namespace ndsim
