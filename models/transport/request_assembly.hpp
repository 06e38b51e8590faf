// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "models/ledger/ledger.hpp"
#include "models/parts/forward_grain.hpp"
#include "models/ports/dma.hpp"
#include "models/ports/egress.hpp"
#include "models/ports/qp.hpp"
#include "models/ports/requests.hpp"
#include "models/transport/assembly.hpp"
#include "models/transport/outgoing_message.hpp"
#include "models/transport/psn_windows.hpp"
#include "models/transport/retransmit_buffer.hpp"
#include "sim/kernel/unit.hpp"
#include "sim/kernel/work_probe.hpp"

namespace ndsim {

// RequestAssembly: gets the payload of request packets from the WQE or from host memory. It hands the packets of a
// queue pair to the transmitter in order, each when its payload's times are known, and keeps them in the retransmit
// buffer.
class RequestAssembly final : public ReadClient {
public:
    struct Links {  // the requester's
        sc_core::sc_port<DmaPort>& dma;
        sc_core::sc_port<EgressPort>& egress;
        sc_core::sc_port<WorkPort>& work;
    };

    RequestAssembly(const Unit& owner, const Links& links, Picoseconds tx_pipe, const ForwardGrain& grain,
                    Ledgers& ledgers, PayloadPool& payloads, const PsnWindows& windows, RetransmitBuffer& kept,
                    WorkProbe& making);

    void connect(QpNum qp, std::uint32_t mtu);
    // Starts to get the payload of the next packet of `message`, for which the TX FIFO has room. Returns the slot for
    // issue(), or nothing if no DMA read is free; then everything has been given back.
    [[nodiscard]] std::optional<std::uint32_t> load(Packet& packet, OutgoingMessage& message);
    void issue(std::uint32_t slot);
    // Issued packets of the queue pair are no longer sent.
    void drop(QpNum qp) { assembly_.drop(qp_index(qp)); }
    [[nodiscard]] bool is_empty(QpNum qp) const { return assembly_.is_empty(qp_index(qp)); }
    [[nodiscard]] bool empty() const { return assembly_.empty(); }

    void read_arrives(std::uint32_t slot, Interval data) override;
    void read_space(ReadClass cls) override;

private:
    [[nodiscard]] bool start(const Packet& packet, OutgoingMessage& message, std::uint32_t slot);
    void hand_on(QpNum qp);
    void keep(const Assembly::Built& built);

    const Unit& owner_;
    const Links links_;
    const Picoseconds tx_pipe_;
    const ForwardGrain grain_;  // of PCIe reads
    Ledgers& ledgers_;
    PayloadPool& payloads_;
    const PsnWindows& windows_;
    RetransmitBuffer& kept_;
    WorkProbe& making_;
    Assembly assembly_;                // a stream for each queue pair
    std::vector<std::uint32_t> mtus_;  // by QP index
    std::vector<ReadPiece> pieces_;    // of the packet being issued
};

}  // namespace ndsim
