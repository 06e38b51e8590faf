// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "models/ports/dma.hpp"
#include "models/ports/protection.hpp"
#include "models/proto/packet.hpp"
#include "models/transport/range_cursor.hpp"

namespace ndsim {

// OutgoingMessage: the request of one queue pair that is being cut into packets: its progress, the place of its next
// payload in host memory, and its part in the next packet's headers.
class OutgoingMessage {
public:
    // False if the message may not read its own memory. A Read's is checked elsewhere, and inline data needs no check.
    [[nodiscard]] bool locate(const ProtectionPort& protection, PdNum pd, QpNum qp, const Wqe& wqe);
    // The same for one under way: its keys may die meanwhile (R31).
    [[nodiscard]] bool may_go_on(const ProtectionPort& protection, PdNum pd, QpNum qp);
    // The message is under way, from byte `offset` on; the WQE stays valid until end().
    void begin(const Wqe& wqe, std::uint32_t offset = 0);
    // Returns the WQE that was under way.
    const Wqe* end() { return std::exchange(wqe_, nullptr); }
    [[nodiscard]] const Wqe& wqe() const { return *wqe_; }
    [[nodiscard]] bool is_read() const { return wqe_->header.opcode == WqeOpcode::read; }

    // What the room that a packet needs depends on.
    struct Cut {
        Opcode opcode{};
        std::uint32_t bytes = 0;  // of payload
    };
    [[nodiscard]] Cut next_cut(std::uint32_t mtu) const;
    // The fields of the next packet that the message decides.
    [[nodiscard]] Packet next_packet(const Cut& cut) const;
    // The payload of the next packet in the WQE; nullptr if it is in host memory.
    [[nodiscard]] const std::byte* inline_data() const;
    // The payload of the next packet in host memory, to be read to `into`. take_back() undoes this.
    void take(std::uint32_t bytes, std::byte* into, std::vector<ReadPiece>& pieces);
    void take_back() { payload_.go_back(taken_from_); }
    // The packet is issued.
    void advance(const Packet& packet) { offset_ += packet.payload_bytes; }

private:
    const Wqe* wqe_ = nullptr;
    std::uint32_t length_ = 0;
    std::uint32_t offset_ = 0;
    RangeCursor payload_;
    RangeCursor::Place taken_from_;
    std::uint64_t checked_at_ = 0;  // number of key changes
};

}  // namespace ndsim
