// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "models/transport/responder.hpp"

// How the responder says no: NAKs that ask for packets again, and those that end a queue pair.
namespace ndsim {

void Responder::ask_again(Receiver& receiver, const Packet& packet, std::uint8_t nak) {
    ++naks_;
    if (const auto leave = receiver.ack.refuse(nak, receiver.expected, now() + tx_pipe_)) {
        egress->send_ack(packet.destination, *leave);
    }
    drop(packet);
}

void Responder::refuse(Receiver& receiver, QpNum qp, Psn psn, std::uint8_t nak, WcStatus why) {
    ++naks_;
    receiver.refused = true;
    if (const auto leave = receiver.ack.refuse(nak, psn, now() + tx_pipe_)) {
        egress->send_ack(qp, *leave);
    }
    faults->qp_failed(qp, why);
}

// The request is refused for good; the receive that it has taken, if it is a Send, completes so.
void Responder::fail_message(Receiver& receiver, const Packet& packet, WcStatus status, std::uint8_t nak) {
    drop(packet);
    if (std::exchange(receiver.open, false) && receiver.operation == Operation::send) {
        ledgers_.mark({host_, receiver.wqe.header.request}, Account::message, now());
        complete_receive(receiver, packet, status, now());
    }
    refuse(receiver, packet.destination, packet.psn, nak, status);
}

void Responder::read_refused(QpNum qp, Psn psn, std::size_t behind) {
    Receiver& receiver = receivers_[qp_index(qp)];
    receiver.ack.cut_read(behind, psn, true);
    show_reads(receiver);
    refuse(receiver, qp, psn, Aeth::kNakRemoteAccess, WcStatus::loc_access);
}

void Responder::repeat_refused(QpNum qp, Psn psn, std::size_t behind) {
    Receiver& receiver = receivers_[qp_index(qp)];
    if (receiver.ack.cut_read(behind, psn, false)) {
        egress->send_ack(qp, now());
    }
    show_reads(receiver);
}

}  // namespace ndsim
