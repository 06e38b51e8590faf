// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "models/ports/protection.hpp"
#include "models/proto/cqe.hpp"
#include "models/proto/packet.hpp"
#include "models/transport/range_cursor.hpp"

namespace ndsim {

// IncomingMessage: the Send or Write under way from one queue pair's peer: its place in host memory, its progress, and
// the receive that a Send takes, which completes however the message ends.
class IncomingMessage {
public:
    // Of the queue pair that takes the messages.
    struct Receiver {
        QpNum qp{};
        PdNum pd{};
        CqNum cq{};  // of its receives
    };
    void create(const Receiver& receiver) { receiver_ = receiver; }
    [[nodiscard]] const Receiver& receiver() const { return receiver_; }

    // The next receive is written here; begin_send() follows if there is one.
    [[nodiscard]] Wqe& receive() { return wqe_; }
    // False if the receive's buffers may not be written.
    [[nodiscard]] bool begin_send(const ProtectionPort& protection);
    // By a Write's first packet. False if the peer may not write there; the key is checked for the whole message [X26].
    [[nodiscard]] bool begin_write(const ProtectionPort& protection, const Packet& first);
    // Whether the keys of a message under way are still valid: they may die meanwhile (R30, R55).
    [[nodiscard]] bool may_go_on(const ProtectionPort& protection);
    // Whether the packet fits the message's memory, and a Write the length that it announced.
    [[nodiscard]] bool fits(const Packet& packet, bool is_write) const;

    // The place of the next payload. advance(): this many bytes have gone there.
    [[nodiscard]] RangeCursor& target() { return target_; }
    void advance(std::uint32_t bytes) { reached_ += bytes; }
    // Request number of the receive, for traces; 0 for a Write.
    [[nodiscard]] std::uint32_t request() const { return wqe_.header.request; }

    // True if the message has a receive that has not completed; the caller completes it now.
    [[nodiscard]] bool release_receive() { return std::exchange(has_receive_, false); }
    // The receive's completion; of a success, by the message's last packet.
    [[nodiscard]] Cqe completion(WcStatus status, const Packet& last = {}) const;

private:
    [[nodiscard]] KeyUse use_of(const Sge& sge) const;

    Receiver receiver_;
    Wqe wqe_;                       // the receive
    RangeCursor target_;            // place of the message
    KeyUse written_;                // access of a Write
    std::uint64_t checked_at_ = 0;  // number of key changes
    std::uint32_t capacity_ = 0;
    std::uint32_t reached_ = 0;
    bool has_receive_ = false;
};

}  // namespace ndsim
