// SPDX-License-Identifier: Apache-2.0
#include "models/transport/inbound_reads.hpp"

#include "models/proto/segment.hpp"

namespace ndsim {

void InboundReads::create(QpNum qp, PdNum pd) {
    common_.qp = qp;
    common_.pd = pd;
}

void InboundReads::connect(const QpConnection& connection) {
    common_.peer = connection.peer;
    common_.peer_host = connection.peer_host;
    common_.mtu = connection.mtu;
    most_ = connection.inbound_reads;
}

std::optional<Refusal> InboundReads::refusal(const Packet& packet, std::size_t open,
                                             const ProtectionPort& protection) const {
    if (open >= most_) {
        return kTooManyReads;
    }
    return common_.asked_by(packet).is_readable(protection) ? std::nullopt : std::optional(kNoAccess);
}

Psn InboundReads::end(const Packet& packet) const {
    return packet.psn + packet_count(packet.dma_length, common_.mtu);
}

ReadJob InboundReads::accept(const Packet& packet, std::uint32_t msn) const {
    ReadJob job = common_.asked_by(packet);
    job.msn = msn;
    job.request = packet.request;
    return job;
}

}  // namespace ndsim
