// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "ndapi/sockets/wsd_sends.hpp"
#include "sim/base/page_memory.hpp"

namespace ndsim {

// WsdChannel: messages over one connected socket, in buffers that are registered once. Each message returns credits:
// receives that this side has posted again. None is sent without a credit, and the last credit is kept for a message
// with nothing but credits. Calls block, and return Winsock's codes.
class WsdChannel {
public:
    WsdChannel(const WsdContext& context, SOCKET socket);

    // Registers the buffers, and posts all receives.
    [[nodiscard]] int open();
    // Each side tells how many receives it has, the active one first (W104).
    [[nodiscard]] int start(bool active);
    [[nodiscard]] int send(const WsdMessage& message, std::span<const std::byte> payload = {});
    // A message that is nothing but its kind and a length.
    [[nodiscard]] int say(WsdKind kind, std::uint64_t length = 0);
    // The next message, or the first one of these kinds; others stay.
    [[nodiscard]] int next(WsdReceived& received);
    [[nodiscard]] int next_of(std::initializer_list<WsdKind> kinds, WsdReceived& received);
    // Waits for an operation that was started on the socket.
    [[nodiscard]] int await(OVERLAPPED& overlapped);
    // The code of a connection that has failed; 0: it has not.
    [[nodiscard]] int failure();
    // The same of a connection that is over: its receives end soon, and tell.
    [[nodiscard]] int await_failure();
    // Tells the peer that the stream ends, and waits until every message has been sent. A failure that has lost no
    // message of this side is none; a peer that has ended its own stream may have gone.
    [[nodiscard]] int end();
    // The socket is closed: waits until the provider has let go of all buffers.
    void wait_for_release();

    [[nodiscard]] SOCKET socket() const { return socket_; }
    [[nodiscard]] bool peer_can_read() const { return peer_can_read_; }
    void can_read(bool can) { can_read_ = can; }
    [[nodiscard]] std::uint32_t credits() const { return credits_; }

private:
    // A buffer and its operation.
    struct Receive {
        OVERLAPPED overlapped{};
        bool busy = false;
    };

    [[nodiscard]] bool look();
    [[nodiscard]] bool take_received();
    void wait(OVERLAPPED& overlapped, std::string_view what);
    void wait(std::string_view what) { wait(receives_[next_receive_].overlapped, what); }
    void return_credits();
    [[nodiscard]] int post_receive(std::size_t index);
    [[nodiscard]] std::byte* buffer_of(std::size_t receive) { return receive_buffers_.data() + receive * kWsdBuffer; }
    void read_message(std::size_t index);
    void count_sent(WsdKind kind);
    [[nodiscard]] bool is_lost() const;
    void fail(int code);

    const WsdContext& context_;
    const SOCKET socket_;
    WsdSends sends_;
    PageMemory receive_buffers_;
    std::vector<Receive> receives_;
    std::size_t next_receive_ = 0;
    std::deque<WsdReceived> inbox_;
    std::uint32_t credits_ = 0;
    std::uint32_t owed_ = 0;     // to be returned
    std::uint64_t sent_ = 0;     // messages for which the peer gives credits back
    std::uint64_t content_ = 0;  // of them, up to the last one with something for the peer's program
    std::uint64_t taken_ = 0;    // those whose credits have come back
    bool started_ = false;
    bool can_read_ = false;
    bool peer_can_read_ = false;
    bool receives_over_ = false;  // nothing more will arrive
    bool peer_ended_ = false;     // its stream
    int error_ = 0;
};

}  // namespace ndsim
