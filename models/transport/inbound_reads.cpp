// SPDX-License-Identifier: Apache-2.0
#include "models/transport/inbound_reads.hpp"

#include "models/proto/segment.hpp"

namespace ndsim {

namespace {

bool is_readable(const ReadJob& job, const ProtectionPort& protection) {
    return job.length == 0 || protection.allows({job.key, job.pd, job.qp, job.remote, job.length, kRemoteRead});
}

// A copy of `job` with this packet's request.
ReadJob asked_by(const Packet& packet, ReadJob job) {
    job.key = packet.key;
    job.remote = packet.remote;
    job.length = packet.dma_length;
    job.first = packet.psn;
    return job;
}

}  // namespace

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
    return is_readable(asked_by(packet, common_), protection) ? std::nullopt : std::optional(kNoAccess);
}

Psn InboundReads::end(const Packet& packet) const {
    return packet.psn + packet_count(packet.dma_length, common_.mtu);
}

ReadJob InboundReads::accept(const Packet& packet, std::uint32_t msn) {
    ReadJob job = asked_by(packet, common_);
    job.msn = msn;
    job.request = packet.request;
    last_.push(job);
    if (last_.size() > most_) {
        last_.drop();
    }
    return job;
}

// The request may be an old one that the link has delayed: a dead key is then no fault [class D].
std::optional<ReadJob> InboundReads::asked_again(const Packet& packet, const ProtectionPort& protection) const {
    const std::optional<ReadJob> job = find(packet);
    return job && is_readable(*job, protection) ? job : std::nullopt;
}

std::optional<ReadJob> InboundReads::find(const Packet& packet) const {
    for (std::size_t i = 0; i < last_.size(); ++i) {
        const ReadJob& done = last_[i];
        const auto packets = static_cast<std::uint32_t>(packet.psn.ahead_of(done.first));
        const std::uint64_t offset = std::uint64_t{packets} * done.mtu;
        if (packet.key == done.key && offset + packet.dma_length <= done.length &&
            raw(packet.remote) == raw(done.remote) + offset) {
            ReadJob again = asked_by(packet, done);
            again.again = true;
            return again;
        }
    }
    return std::nullopt;
}

}  // namespace ndsim
