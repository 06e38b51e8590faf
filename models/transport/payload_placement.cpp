// SPDX-License-Identifier: Apache-2.0
#include "models/transport/payload_placement.hpp"

#include <algorithm>

#include "models/proto/packet_work.hpp"
#include "models/transport/scatter.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

PayloadPlacement::PayloadPlacement(AckPoint ack_point, HostId host, sc_core::sc_port<DmaPort>& dma,
                                   sc_core::sc_port<RxBufferPort>& rx_buffer, Ledgers& ledgers, Acknowledger& acks,
                                   WorkProbe& executing, ResponderTimes& times)
    : ack_point_(ack_point),
      host_(host),
      dma_(dma),
      rx_buffer_(rx_buffer),
      ledgers_(ledgers),
      acks_(acks),
      executing_(executing),
      times_(times) {}

void PayloadPlacement::place(const Packet& packet, Interval at, std::uint32_t number, IncomingMessage& message) {
    if (packet.payload_bytes == 0 || ack_point_ == AckPoint::accepted) {
        acks_.executed(packet.destination, number, at.end);
    }
    const auto describe = [&packet] { return work_of(packet, packet.destination); };
    if (packet.payload_bytes == 0) {
        rx_buffer_->drained(wire_bytes(packet), at.end);
        executing_.done(at, describe);
        return;
    }
    const std::uint32_t slot = take_slot(writes_, free_);
    executing_.begin(slot, at.start, describe);
    Write& write = writes_[slot];
    write.packet = packet;
    write.number = number;
    write.receive = message.request();
    times_.place(true, issued_until_);
    scatter(*dma_.operator->(), message.target(), packet, at, slot, *this);
    message.advance(packet.payload_bytes);
}

void PayloadPlacement::write_waited(std::uint32_t slot, Interval wait) {
    const Write& write = writes_[slot];
    if (!info(write.packet.opcode).last) {
        return;
    }
    for (const RequestId request : {RequestId{host_, write.receive}, write.packet.request}) {
        ledgers_.mark(request, {{Account::dma_write, wait.start}, {Account::credits, wait.end}});
    }
}

void PayloadPlacement::write_scheduled(std::uint32_t slot, Picoseconds issued, Picoseconds visible) {
    const Write write = writes_[slot];
    free_.push_back(slot);
    issued_until_ = std::max(issued_until_, issued);
    times_.place(!is_idle(), issued_until_);
    executing_.end(slot, visible);
    rx_buffer_->drained(wire_bytes(write.packet), issued);
    placed_.add(write.packet.destination, write.packet.payload_bytes, visible);
    const bool last = info(write.packet.opcode).last;
    if (last) {
        ledgers_.mark({host_, write.receive}, Account::dma_write, visible);
    }
    if (ack_point_ == AckPoint::accepted) {
        return;
    }
    const Picoseconds at = ack_point_ == AckPoint::visible ? visible : issued;
    if (last) {
        ledgers_.mark(write.packet.request, Account::dma_write, at);
    }
    acks_.executed(write.packet.destination, write.number, at);
}

}  // namespace ndsim
