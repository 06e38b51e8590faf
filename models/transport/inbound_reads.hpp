// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "models/ports/qp.hpp"
#include "models/transport/read_job.hpp"
#include "models/transport/refusal.hpp"

namespace ndsim {

// InboundReads: the new Reads of one queue pair's peer. It decides which may be answered, and what answers them.
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
    [[nodiscard]] ReadJob accept(const Packet& packet, std::uint32_t msn) const;

private:
    ReadJob common_;  // fields common to all jobs
    std::uint32_t most_ = 0;
};

}  // namespace ndsim
