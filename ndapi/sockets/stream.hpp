// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ndapi/sockets/channel.hpp"

namespace ndsim {

// WsdStream: a connected socket as a program sees it: a stream of bytes each way. Small pieces go in messages, blocks
// beyond the threshold by RDMA: the receiver reads them, or the sender writes them if the receiver cannot read. Calls
// block. Call close() before destruction: the provider uses its buffers until then.
class WsdStream {
public:
    WsdStream(const WsdContext& context, SOCKET socket);

    // Codes of Winsock, 0 for success.
    [[nodiscard]] int start(bool active);
    // With MSG_OOB the bytes go beside the stream.
    [[nodiscard]] int send(const std::byte* data, std::size_t length, int flags = 0);
    // The outcome of receive().
    struct Received {
        int error = 0;
        std::size_t bytes = 0;  // 0: the stream has ended
    };
    [[nodiscard]] Received receive(std::byte* buffer, std::size_t room);
    // Urgent bytes received so far.
    [[nodiscard]] const std::vector<std::byte>& urgent() const { return urgent_; }
    // Tells the peer that the stream ends, and closes the socket.
    int close();

    [[nodiscard]] SOCKET socket() const { return channel_.socket(); }
    [[nodiscard]] WsdChannel& channel() { return channel_; }

private:
    // A block that the peer has announced.
    struct Block {
        std::uint64_t length = 0;
        std::uint64_t taken = 0;
        std::vector<std::byte> descriptor;  // none: the peer writes
    };

    [[nodiscard]] int send_messages(WsdKind kind, std::span<const std::byte> data);
    [[nodiscard]] int send_block(std::span<const std::byte> data);
    [[nodiscard]] int offer_for_reading(std::span<const std::byte> data);
    [[nodiscard]] int write_block(std::span<const std::byte> data);
    [[nodiscard]] int write_parts(std::span<const std::byte> data, HANDLE handle);
    [[nodiscard]] int write_part(std::span<const std::byte> part, HANDLE handle, const WsdMessage& target);
    void take(WsdReceived& received);
    [[nodiscard]] Received take_part(std::byte* buffer, std::size_t room);
    [[nodiscard]] int read_part(std::byte* buffer, DWORD length);
    [[nodiscard]] int have_written(std::byte* buffer, DWORD length);
    [[nodiscard]] int open_to_peer(const std::byte* data, DWORD length, DWORD rights, WsdMessage& message);
    void shut(const WsdMessage& message);
    [[nodiscard]] int say(WsdKind kind, std::uint64_t length = 0);
    [[nodiscard]] DWORD option(int name) const;
    [[nodiscard]] bool provider_reads() const;

    const WsdContext& context_;
    WsdChannel channel_;
    DWORD threshold_ = 0;
    DWORD most_ = 0;  // in one RDMA transfer
    std::vector<std::byte> stream_;
    std::vector<std::byte> urgent_;
    std::optional<Block> block_;
    bool ended_ = false;
};

}  // namespace ndsim
