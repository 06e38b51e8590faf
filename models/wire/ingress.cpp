// SPDX-License-Identifier: Apache-2.0
#include "models/wire/ingress.hpp"

#include "models/parts/ranks.hpp"
#include "models/proto/lane_state.hpp"
#include "sim/base/invariant_error.hpp"

namespace ndsim {

Ingress::Ingress(const sc_core::sc_module_name& name, Timeline& timeline, const PortParams& params,
                 PayloadPool& payloads)
    : Unit(name, timeline),
      params_(params),
      payloads_(payloads),
      pipeline_(*this, timeline, kRankIngress),
      rx_buffer_(*this, kRxBufferPool, params.rx_buffer.count),
      hold_(*this, timeline, peer, back, params.rx_pipe, rx_buffer_) {
    in.bind(*this);
    buffer.bind(*this);
}

void Ingress::arrive(const Packet& packet, Interval at) {
    for (int i = 0; i < taps.size(); ++i) {
        taps[i]->arrives(packet, at);
    }
    Arrival& arrival = pipeline_.add(at.start + params_.rx_pipe);
    arrival.packet = packet;
    arrival.last = at.end + params_.rx_pipe;
}

void Ingress::processed(const Arrival& arrival) {
    const Bytes bytes = wire_bytes(arrival.packet);
    ++packets_;
    bytes_ += bytes.count;
    packet_.set(lane_state(arrival.packet), now());
    number_.set(static_cast<std::uint32_t>(packets_), now());
    if (arrival.packet.damaged) {
        ++damaged_;  // no reply, no change of state [X28]
        payloads_.give(arrival.packet.payload);
        return;
    }
    if (needs_room(arrival.packet) && !take_room(bytes)) {
        ++overflows_;  // the requester learns by its NAK or timeout
        payloads_.give(arrival.packet.payload);
        return;
    }
    transport->receive(arrival.packet, {now(), arrival.last});
}

bool Ingress::take_room(Bytes bytes) {
    if (rx_buffer_.available(now()) < bytes.count) {
        if (params_.pause && !bunched_) {
            throw InvariantError(name(), now(), "the RX buffer overflows");
        }
        return false;
    }
    rx_buffer_.take(bytes.count, now());
    if (params_.pause) {
        hold_.filled();
    }
    return true;
}

void Ingress::drained(Bytes bytes, Picoseconds when) {
    rx_buffer_.give_at(bytes.count, when);
    hold_.drained(when);
}

void Ingress::report(StatSink& sink) const {
    sink.add("packets", packets_, StatUnit::count, "packets received");
    sink.add("bytes", bytes_, StatUnit::bytes, "bytes received, including preamble and gap");
    sink.add("damaged", damaged_, StatUnit::count, "packets dropped for a wrong ICRC");
    sink.add("overflows", overflows_, StatUnit::count, "packets dropped because the RX buffer was full");
    sink.add("pauses", hold_.pauses(), StatUnit::count, "times the peer was told to stop");
}

void Ingress::check_idle() const {
    if (!pipeline_.empty()) {
        throw InvariantError(name(), now(), "packets are still in the pipeline at the end");
    }
}

}  // namespace ndsim
