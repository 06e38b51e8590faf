// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "ndapi/sockets/wsd_message.hpp"
#include "ndapi/sockets/wsd_settings.hpp"
#include "sim/base/page_memory.hpp"

namespace ndsim {

// WsdSends: the messages that a socket sends, each in one of the buffers that are registered once. The first failure
// stays.
class WsdSends {
public:
    WsdSends(const WsdContext& context, SOCKET socket);

    // Registers the buffers.
    [[nodiscard]] int open();
    [[nodiscard]] bool has_room() const;
    // Sends a message, for which there is room.
    [[nodiscard]] int post(WsdMessage message, std::span<const std::byte> payload);
    // Whether any has ended since the last look.
    [[nodiscard]] bool look();
    // The operation of a message that has not ended, as far as look() knows; null: all have.
    [[nodiscard]] OVERLAPPED* first_not_ended();
    [[nodiscard]] int failure() const { return failure_; }
    // Whether the provider was done with any within the call: then nobody tells whether it arrives.
    [[nodiscard]] bool any_was_done_at_once() const { return any_was_done_at_once_; }
    // Whether a message was not sent: the end of the stream, or one with something for the program.
    [[nodiscard]] bool end_is_lost() const { return end_is_lost_; }
    [[nodiscard]] bool content_is_lost() const { return content_is_lost_; }
    // Whether the provider still uses a buffer.
    [[nodiscard]] bool are_in_use() const;

private:
    // A buffer and its operation.
    struct Slot {
        OVERLAPPED overlapped{};
        WsdKind kind{};
        bool busy = false;
    };

    void ended(WsdKind kind, int code);

    const WsdContext& context_;
    const SOCKET socket_;
    PageMemory buffers_;
    std::vector<Slot> slots_;
    int failure_ = 0;
    bool end_is_lost_ = false;
    bool content_is_lost_ = false;
    bool any_was_done_at_once_ = false;
};

}  // namespace ndsim
