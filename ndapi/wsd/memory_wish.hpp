// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/wsd/buffers.hpp"
#include "ndapi/wsd/socket.hpp"

namespace ndsim::wsd {

// The rights and the memory that a registration asks for. Check it before its rights are taken.
struct MemoryWish {
    DWORD flags = 0;
    MemoryRange range;

    // A code.
    [[nodiscard]] int check(const Socket& socket, std::uint32_t most) const {
        if (flags < MEM_READ || flags > MEM_READWRITE) {
            return WSAEINVAL;
        }
        if (range.length == 0 || range.length > most || !is_user_memory(range.data, range.length)) {
            return WSAEFAULT;
        }
        return socket.is_connected() ? 0 : WSAENOTCONN;
    }
    // For MEM_READ, MEM_WRITE and both (wsd.md 5.2).
    [[nodiscard]] std::uint8_t local_rights() const {
        constexpr std::uint8_t kRights[] = {kLocalRead, kLocalWrite, kLocalWrite};
        return kRights[flags - MEM_READ];
    }
    [[nodiscard]] std::uint8_t peer_rights() const {
        constexpr std::uint8_t kRights[] = {kRemoteRead, kLocalWrite | kRemoteWrite,
                                            kLocalWrite | kRemoteRead | kRemoteWrite};
        return kRights[flags - MEM_READ];
    }
};

}  // namespace ndsim::wsd
