// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "models/transport/read_job.hpp"
#include "sim/base/ring.hpp"

namespace ndsim {

// RepeatedReads: the last Reads of one queue pair's peer, which the peer may ask for again, wholly or from one of their
// packets on [X11]. As many are remembered as may be outstanding; a new one displaces the oldest.
class RepeatedReads {
public:
    void connect(std::uint32_t most) { most_ = most; }
    // A new Read.
    void add(const ReadJob& job);
    // The responses of a Read that comes again; nothing if it is unknown, or may no longer be read.
    [[nodiscard]] std::optional<ReadJob> find(const Packet& packet, const ProtectionPort& protection) const;

private:
    [[nodiscard]] std::optional<ReadJob> find(const Packet& packet) const;

    std::uint32_t most_ = 0;
    Ring<ReadJob> last_;
};

}  // namespace ndsim
