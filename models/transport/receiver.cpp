// SPDX-License-Identifier: Apache-2.0
#include "models/transport/receiver.hpp"

namespace ndsim {

Receiver::Receiver(const sc_core::sc_module_name& name, Timeline& timeline, Responder& responder, Completer& completer)
    : Unit(name, timeline), responder_(responder), completer_(completer) {
    in.bind(*this);
}

void Receiver::receive(const Packet& packet, Interval at) {
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
            rx_buffer->drained(wire_bytes(packet), at.end);
            datagrams->datagram_arrived(packet);
            break;
        default:
            responder_.receive(packet, at);
    }
}

}  // namespace ndsim
