// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/ingress.hpp"
#include "models/transport/acknowledger.hpp"
#include "models/transport/incoming_message.hpp"
#include "models/transport/placed_payload.hpp"
#include "models/transport/responder_times.hpp"
#include "models/transport/transport_params.hpp"
#include "sim/kernel/unit.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// PayloadPlacement: puts the payload of accepted packets into host memory. A packet leaves the RX buffer as its payload
// leaves onto PCIe, and counts as executed when the acknowledge point is reached.
class PayloadPlacement final : public WriteClient {
public:
    PayloadPlacement(AckPoint ack_point, HostId host, sc_core::sc_port<DmaPort>& dma,
                     sc_core::sc_port<RxBufferPort>& rx_buffer, Ledgers& ledgers, Acknowledger& acks,
                     WorkProbe& executing, ResponderTimes& times);

    // A packet that continues `message`; `number` is its own for Acknowledger::executed().
    void place(const Packet& packet, Interval at, std::uint32_t number, IncomingMessage& message);
    // What has been placed for a queue pair.
    [[nodiscard]] PlacedPayload placed(QpNum qp) const { return placed_.of(qp); }
    [[nodiscard]] bool is_idle() const { return free_.size() == writes_.size(); }

    void write_waited(std::uint32_t slot, Interval wait) override;
    void write_scheduled(std::uint32_t slot, Picoseconds issued, Picoseconds visible) override;

private:
    struct Write {  // the last write of a packet's payload
        Packet packet;
        std::uint32_t number = 0;   // for Acknowledger::executed()
        std::uint32_t receive = 0;  // request number of the receive, for traces
    };

    const AckPoint ack_point_;
    const HostId host_;
    sc_core::sc_port<DmaPort>& dma_;
    sc_core::sc_port<RxBufferPort>& rx_buffer_;
    Ledgers& ledgers_;
    Acknowledger& acks_;
    WorkProbe& executing_;
    ResponderTimes& times_;
    std::vector<Write> writes_;
    std::vector<std::uint32_t> free_;
    PlacedByQp placed_;
    Picoseconds issued_until_{};  // of the writes that have their times
};

}  // namespace ndsim
