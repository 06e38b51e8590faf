// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ndapi/sockets/wsd_blocks.hpp"

namespace ndsim {

// WsdStream: a connected socket as a program sees it: a stream of bytes each way. Small pieces go in messages, blocks
// beyond the threshold by RDMA. Calls block. Call close() before destruction: the provider uses its buffers until then.
class WsdStream {
public:
    WsdStream(const WsdContext& context, SOCKET socket);

    // Codes of Winsock, 0 for success.
    [[nodiscard]] int start(bool active);
    // With MSG_OOB the bytes go beside the stream.
    [[nodiscard]] int send(const std::byte* data, std::size_t length, int flags = 0);
    // Waits for data. Without an error, no bytes: the stream has ended, or there is no room.
    using Received = WsdBlocks::Part;
    [[nodiscard]] Received receive(std::byte* buffer, std::size_t room);
    // Urgent bytes received so far.
    [[nodiscard]] const std::vector<std::byte>& urgent() const { return urgent_; }
    // Tells the peer that the stream ends, and closes the socket.
    int close();

    [[nodiscard]] SOCKET socket() const { return channel_.socket(); }
    [[nodiscard]] WsdChannel& channel() { return channel_; }

private:
    [[nodiscard]] int send_messages(WsdKind kind, std::span<const std::byte> data);
    void take(WsdReceived& received);
    [[nodiscard]] DWORD option(int name) const;
    [[nodiscard]] bool provider_reads() const;

    const WsdContext& context_;
    WsdChannel channel_;
    WsdBlocks blocks_;
    DWORD threshold_ = 0;
    std::vector<std::byte> stream_;
    std::vector<std::byte> urgent_;
    bool ended_ = false;
};

}  // namespace ndsim
