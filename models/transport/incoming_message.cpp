// SPDX-License-Identifier: Apache-2.0
#include "models/transport/incoming_message.hpp"

#include <algorithm>

namespace ndsim {

bool IncomingMessage::begin_send(const ProtectionPort& protection) {
    has_receive_ = true;
    checked_at_ = protection.changes();
    std::vector<HostRange>& ranges = target_.restart();
    const bool writable = std::all_of(wqe_.sges.begin(), wqe_.sges.end(),
                                      [&](const Sge& sge) { return protection.allows(use_of(sge), &ranges); });
    capacity_ = target_.length();
    reached_ = 0;
    return writable;
}

bool IncomingMessage::begin_write(const ProtectionPort& protection, const Packet& first) {
    const KeyUse use{first.key, receiver_.pd, receiver_.qp, first.remote, first.dma_length, kRemoteWrite};
    std::vector<HostRange>& ranges = target_.restart();
    if (use.length > 0 && !protection.allows(use, &ranges)) {
        return false;
    }
    written_ = use;
    checked_at_ = protection.changes();
    wqe_.header = {.opcode = WqeOpcode::write};
    capacity_ = target_.length();
    reached_ = 0;
    return true;
}

bool IncomingMessage::may_go_on(const ProtectionPort& protection) {
    const std::uint64_t changes = protection.changes();
    if (std::exchange(checked_at_, changes) == changes) {
        return true;
    }
    if (!has_receive_) {
        return protection.allows(written_);
    }
    return std::all_of(wqe_.sges.begin(), wqe_.sges.end(),
                       [&](const Sge& sge) { return protection.allows(use_of(sge)); });
}

KeyUse IncomingMessage::use_of(const Sge& sge) const {
    return {sge.key, receiver_.pd, receiver_.qp, sge.address, sge.length, kLocalWrite};
}

bool IncomingMessage::fits(const Packet& packet, bool is_write) const {
    const std::uint32_t reached = reached_ + packet.payload_bytes;
    const bool is_short = is_write && info(packet.opcode).last && reached < capacity_;
    return reached <= capacity_ && !is_short;
}

Cqe IncomingMessage::completion(WcStatus status, const Packet& last) const {
    Cqe cqe;
    cqe.qp = receiver_.qp;
    cqe.wqe_index = wqe_.header.index;
    cqe.opcode = WqeOpcode::receive;
    cqe.status = status;
    cqe.request = wqe_.header.request;
    if (status == WcStatus::success) {
        cqe.bytes = reached_;
        cqe.solicited = last.solicited;
        cqe.token = raw(last.key);
    }
    return cqe;
}

}  // namespace ndsim
