// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ports/protection.hpp"
#include "models/proto/packet.hpp"

namespace ndsim {

// ReadJob: the responses to send for a Read, or for the rest of one.
struct ReadJob {
    QpNum qp{};
    QpNum peer{};
    HostId peer_host{};
    PdNum pd{};
    std::uint32_t mtu = 0;
    MrKey key{};
    Address remote{};  // start of the whole Read, in the peer's addresses
    std::uint32_t length = 0;
    Psn first;
    std::uint32_t msn = 0;
    RequestId request;
    bool again = false;       // it was answered before
    Picoseconds scheduled{};  // when its data may be read

    // A copy with the memory and PSN that this request names.
    [[nodiscard]] ReadJob asked_by(const Packet& packet) const {
        ReadJob job = *this;
        job.key = packet.key;
        job.remote = packet.remote;
        job.length = packet.dma_length;
        job.first = packet.psn;
        return job;
    }
    [[nodiscard]] bool is_readable(const ProtectionPort& protection) const {
        return length == 0 || protection.allows({key, pd, qp, remote, length, kRemoteRead});
    }
};

// The giver of a job.
class ReadJobOwner {
public:
    // The memory of the response `psn` may not be read, or no longer. No response is sent from there on, and none of
    // the jobs `behind`.
    virtual void read_refused(QpNum qp, Psn psn, std::size_t behind) = 0;
    // As read_refused(), for a repeated Read; Reads behind it are still answered.
    virtual void repeat_refused(QpNum qp, Psn psn, std::size_t behind) = 0;

protected:
    ~ReadJobOwner() = default;
};

}  // namespace ndsim
