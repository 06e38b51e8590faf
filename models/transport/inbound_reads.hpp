// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "models/ports/protection.hpp"
#include "models/ports/qp.hpp"
#include "models/proto/packet.hpp"
#include "models/transport/read_job.hpp"
#include "models/transport/refusal.hpp"
#include "sim/base/ring.hpp"

namespace ndsim {

// InboundReads: the Reads of one queue pair's peer. It decides which may be answered, and remembers as many as may be
// outstanding, since the peer may ask for them again; a new one displaces the oldest.
class InboundReads {
public:
    void create(QpNum qp, PdNum pd);
    void connect(const QpConnection& connection);

    // Why a new Read is refused while `open` others are not wholly answered; nothing if it may be answered.
    [[nodiscard]] std::optional<Refusal> refusal(const Packet& packet, std::size_t open,
                                                 const ProtectionPort& protection) const;
    // The PSN behind the Read's last response.
    [[nodiscard]] Psn end(const Packet& packet) const;
    // The responses of a new Read, which is message `msn` of the peer.
    [[nodiscard]] ReadJob accept(const Packet& packet, std::uint32_t msn);
    // The responses of a repeated Read, or of the rest of one [X11]; nothing if it is unknown, or may no longer be
    // read.
    [[nodiscard]] std::optional<ReadJob> asked_again(const Packet& packet, const ProtectionPort& protection) const;

private:
    [[nodiscard]] std::optional<ReadJob> find(const Packet& packet) const;

    ReadJob common_;  // fields common to all jobs
    std::uint32_t most_ = 0;
    Ring<ReadJob> last_;
};

}  // namespace ndsim
