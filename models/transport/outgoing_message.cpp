// SPDX-License-Identifier: Apache-2.0
#include "models/transport/outgoing_message.hpp"

#include <algorithm>

#include "models/proto/segment.hpp"

namespace ndsim {

namespace {

Operation operation_of(WqeOpcode opcode) {
    switch (opcode) {
        case WqeOpcode::write:
            return Operation::write;
        case WqeOpcode::read:
            return Operation::read;
        default:
            return Operation::send;
    }
}

}  // namespace

bool OutgoingMessage::locate(const ProtectionPort& protection, PdNum pd, QpNum qp, const Wqe& wqe) {
    std::vector<HostRange>& ranges = payload_.restart();
    return std::all_of(wqe.sges.begin(), wqe.sges.end(), [&](const Sge& sge) {
        return protection.allows({sge.key, pd, qp, sge.address, sge.length, kLocalRead}, &ranges);
    });
}

void OutgoingMessage::begin(const Wqe& wqe, std::uint32_t offset) {
    wqe_ = &wqe;
    length_ = wqe.length();
    offset_ = offset;
    if (!is_read() && !wqe.header.has(kWqeInline)) {
        payload_.skip(offset);
    }
}

Packet OutgoingMessage::next_packet(std::uint32_t mtu) const {
    const WqeHeader& header = wqe_->header;
    const Operation operation = operation_of(header.opcode);
    const bool read = operation == Operation::read;
    const std::uint32_t bytes = read ? 0 : packet_bytes(length_, offset_, mtu);
    const bool first = offset_ == 0 || read;
    const bool last = offset_ + bytes == length_ || read;
    Packet packet;
    packet.opcode = packet_opcode(operation, first, last);
    if (operation != Operation::send && first) {
        // A repeated Read leaves out the part that has arrived [X14].
        const std::uint32_t had = read ? offset_ : 0;
        packet.key = wqe_->remote.key;
        packet.remote = wqe_->remote.address + had;
        packet.dma_length = length_ - had;
    }
    if (last && header.opcode == WqeOpcode::send_and_invalidate) {
        packet.opcode = invalidating(packet.opcode);
        packet.key = MrKey{header.token};
    }
    packet.solicited = last && header.has(kWqeSolicited);
    packet.payload_bytes = bytes;
    if (!read) {
        packet.reached = offset_ + bytes;
        packet.behind = length_ - packet.reached;
    }
    return packet;
}

const std::byte* OutgoingMessage::inline_data() const {
    return wqe_->header.has(kWqeInline) ? wqe_->inline_data.data() + offset_ : nullptr;
}

void OutgoingMessage::take(std::uint32_t bytes, std::byte* into, std::vector<ReadPiece>& pieces) {
    taken_from_ = payload_.place();
    pieces.clear();
    payload_.advance(bytes, [&](Address at, std::uint32_t length) {
        pieces.push_back({at, length, into});
        into += length;
    });
}

}  // namespace ndsim
