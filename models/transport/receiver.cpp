// SPDX-License-Identifier: Apache-2.0
#include "models/transport/receiver.hpp"

#include <algorithm>

#include "sim/base/invariant_error.hpp"

namespace ndsim {

Receiver::Receiver(const sc_core::sc_module_name& name, Timeline& timeline, Ledgers& ledgers, Responder& responder,
                   Completer& completer)
    : Unit(name, timeline),
      ledgers_(ledgers),
      responder_(responder),
      completer_(completer),
      parked_packets_(*this, kParkedPool, Pool::kUnlimited) {
    in.bind(*this);
}

void Receiver::receive(const Packet& packet, Interval at) {
    if (packet.opcode == Opcode::ud_send_only || context->use(packet.destination, *this)) {
        sort(packet, at);
        return;
    }
    parked_.add(qp_index(packet.destination), {packet, at});
    parked_packets_.take(1, now());
    ++parked_count_;
}

void Receiver::context_ready(QpNum qp) {
    for (const std::uint32_t index = qp_index(qp); parked_.holds(index);) {
        const auto [packet, at] = parked_.front(index);
        parked_.drop_front(index);
        parked_packets_.give(1, now());
        if (packet.opcode == Opcode::acknowledge) {
            completer_.has_waited(packet, at.end);
        } else if (info(packet.opcode).last) {
            ledgers_.mark(packet.request, {{Account::rx_buffer, at.end}, {Account::context, now()}});
        }
        sort(packet, {std::max(now(), at.start), std::max(now(), at.end)});
    }
}

void Receiver::report(StatSink& sink) const {
    sink.add("parked_packets", parked_count_, StatUnit::count, "packets that had to wait for a context");
}

void Receiver::check_idle() const {
    if (!parked_.empty()) {
        throw InvariantError(name(), now(), "packets still wait for a context at the end");
    }
}

void Receiver::sort(const Packet& packet, Interval at) {
    switch (packet.opcode) {
        case Opcode::acknowledge:
            rx_buffer->drained(wire_bytes(packet), at.end);
            completer_.acknowledge(packet);
            break;
        case Opcode::read_response_first:
        case Opcode::read_response_middle:
        case Opcode::read_response_last:
        case Opcode::read_response_only:
            completer_.response(packet, at);
            break;
        case Opcode::ud_send_only:
            datagrams->datagram_arrived(packet);
            break;
        default:
            responder_.receive(packet, at);
    }
}

}  // namespace ndsim
