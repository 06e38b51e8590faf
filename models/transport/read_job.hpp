// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/proto/packet.hpp"

namespace ndsim {

// ReadJob: the responses that a Read, or the rest of one, is to get.
struct ReadJob {
    QpNum qp{};
    QpNum peer{};
    HostId peer_host{};
    PdNum pd{};
    std::uint32_t mtu = 0;
    MrKey key{};
    Address remote{};  // of the whole Read, as the peer calls it
    std::uint32_t length = 0;
    Psn first;
    std::uint32_t msn = 0;
    RequestId request;
    bool again = false;       // it has been answered before
    Picoseconds scheduled{};  // its data may be read
};

// Who gave the job.
class ReadJobOwner {
public:
    // The memory of the response `psn` may not be read (any more); none is sent from there on, nor of the jobs
    // `behind`.
    virtual void read_refused(QpNum qp, Psn psn, std::size_t behind) = 0;
    // The same of a Read that was answered before; those behind it are still answered.
    virtual void repeat_refused(QpNum qp, Psn psn, std::size_t behind) = 0;

protected:
    ~ReadJobOwner() = default;
};

}  // namespace ndsim
