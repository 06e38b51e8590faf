// SPDX-License-Identifier: Apache-2.0
#include "models/transport/repeated_reads.hpp"

#include "models/proto/segment.hpp"

namespace ndsim {

void RepeatedReads::add(const ReadJob& job) {
    last_.push(job);
    if (last_.size() > most_) {
        last_.drop();
    }
}

// The request may be an old one that the link has delayed: a dead key is then no fault [class D].
std::optional<ReadJob> RepeatedReads::find(const Packet& packet, const ProtectionPort& protection) const {
    const std::optional<ReadJob> job = find(packet);
    return job && job->is_readable(protection) ? job : std::nullopt;
}

std::optional<ReadJob> RepeatedReads::find(const Packet& packet) const {
    for (std::size_t i = 0; i < last_.size(); ++i) {
        const ReadJob& done = last_[i];
        const auto packets = static_cast<std::uint32_t>(packet.psn.ahead_of(done.first));
        const std::uint64_t offset = std::uint64_t{packets} * done.mtu;
        if (packets < packet_count(done.length, done.mtu) && packet.key == done.key &&
            offset + packet.dma_length <= done.length && raw(packet.remote) == raw(done.remote) + offset) {
            ReadJob again = done.asked_by(packet);
            again.again = true;
            return again;
        }
    }
    return std::nullopt;
}

}  // namespace ndsim
