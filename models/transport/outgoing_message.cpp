// SPDX-License-Identifier: Apache-2.0
#include "models/transport/outgoing_message.hpp"

#include <algorithm>

#include "models/proto/segment.hpp"

namespace ndsim {

bool OutgoingMessage::locate(const ProtectionPort& protection, PdNum pd, QpNum qp, const Wqe& wqe) {
    std::vector<HostRange>& ranges = payload_.restart();
    checked_at_ = protection.changes();
    return std::all_of(wqe.sges.begin(), wqe.sges.end(), [&](const Sge& sge) {
        return protection.allows({sge.key, pd, qp, sge.address, sge.length, kLocalRead}, &ranges);
    });
}

bool OutgoingMessage::may_go_on(const ProtectionPort& protection, PdNum pd, QpNum qp) {
    const std::uint64_t changes = protection.changes();
    if (std::exchange(checked_at_, changes) == changes) {
        return true;
    }
    return is_read() || std::all_of(wqe_->sges.begin(), wqe_->sges.end(), [&](const Sge& sge) {
               return protection.allows({sge.key, pd, qp, sge.address, sge.length, kLocalRead});
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

OutgoingMessage::Cut OutgoingMessage::next_cut(std::uint32_t mtu) const {
    if (is_read()) {
        return {Opcode::read_request, 0};
    }
    const std::uint32_t bytes = packet_bytes(length_, offset_, mtu);
    const bool last = offset_ + bytes == length_;
    const Operation operation = wqe_->header.opcode == WqeOpcode::write ? Operation::write : Operation::send;
    const Opcode opcode = packet_opcode(operation, offset_ == 0, last);
    return {last && wqe_->header.opcode == WqeOpcode::send_and_invalidate ? invalidating(opcode) : opcode, bytes};
}

Packet OutgoingMessage::next_packet(const Cut& cut) const {
    const WqeHeader& header = wqe_->header;
    const OpcodeInfo& opcode = info(cut.opcode);
    Packet packet;
    packet.opcode = cut.opcode;
    packet.payload_bytes = cut.bytes;
    packet.solicited = opcode.last && header.has(kWqeSolicited);
    if (opcode.has(kIeth)) {
        packet.key = MrKey{header.token};
    }
    if (opcode.has(kReth)) {
        // A repeated Read leaves out the part that has arrived [X14].
        const std::uint32_t had = is_read() ? offset_ : 0;
        packet.key = wqe_->remote.key;
        packet.remote = wqe_->remote.address + had;
        packet.dma_length = length_ - had;
    }
    if (!is_read()) {
        packet.reached = offset_ + cut.bytes;
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
