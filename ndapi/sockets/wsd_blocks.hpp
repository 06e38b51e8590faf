// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ndapi/sockets/wsd_channel.hpp"

namespace ndsim {

// WsdBlocks: the blocks of a stream that are too large for messages. They go by RDMA: the receiver reads them, or the
// sender writes them if the receiver cannot read (wsd.md 5.9, W108 to W110). Calls block, and return Winsock's codes.
class WsdBlocks {
public:
    WsdBlocks(const WsdContext& context, WsdChannel& channel) : context_(context), channel_(channel) {}

    // The most bytes in one RDMA transfer.
    void limit(DWORD most) { most_ = most; }
    [[nodiscard]] int send(std::span<const std::byte> data);

    // The peer has announced a block; it is there until all of it has been taken.
    void announced(const WsdMessage& announcement);
    [[nodiscard]] bool is_there() const { return block_.has_value(); }
    // The bytes taken of a block, or why there are none.
    struct Part {
        int error = 0;
        std::size_t bytes = 0;
    };
    // Nothing if the provider has no room for the block: it is gone, and the sender is told.
    [[nodiscard]] std::optional<Part> take(std::byte* buffer, std::size_t room);

private:
    // A block that the peer has announced.
    struct Block {
        std::uint64_t length = 0;
        std::uint64_t taken = 0;
        std::vector<std::byte> descriptor;  // none: the peer writes
    };

    [[nodiscard]] int offer_for_reading(std::span<const std::byte> data);
    [[nodiscard]] int write(std::span<const std::byte> data);
    [[nodiscard]] int write_parts(std::span<const std::byte> data, HANDLE handle);
    [[nodiscard]] int write_part(std::span<const std::byte> part, HANDLE handle, const WsdMessage& target);
    [[nodiscard]] int read_part(std::byte* buffer, DWORD length);
    [[nodiscard]] int have_written(std::byte* buffer, DWORD length);
    [[nodiscard]] int why_not_registered(int code);
    [[nodiscard]] int open_to_peer(const std::byte* data, DWORD length, DWORD rights, WsdMessage& message);
    void shut(const WsdMessage& message);
    [[nodiscard]] SOCKET socket() const { return channel_.socket(); }

    const WsdContext& context_;
    WsdChannel& channel_;
    DWORD most_ = 0;
    std::optional<Block> block_;
};

}  // namespace ndsim
