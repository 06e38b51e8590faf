// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/qp.hpp"
#include "ndapi/ndspi/nddef.h"
#include "ndapi/windows/os/waits.hpp"

// Parts of posts. The flags of both versions have the same values.
namespace ndsim::nd {

inline constexpr ULONG kInvalidateFlags = ND_OP_FLAG_SILENT_SUCCESS | ND_OP_FLAG_READ_FENCE;
inline constexpr ULONG kReadFlags = kInvalidateFlags;
inline constexpr ULONG kBindFlags = kInvalidateFlags | ND_OP_FLAG_ALLOW_READ | ND_OP_FLAG_ALLOW_WRITE;

[[nodiscard]] inline core::RequestOptions options_of(ULONG flags) {
    core::RequestOptions options;
    options.silent = (flags & ND_OP_FLAG_SILENT_SUCCESS) != 0;
    options.read_fence = (flags & ND_OP_FLAG_READ_FENCE) != 0;
    options.solicit = (flags & ND_OP_FLAG_SEND_AND_SOLICIT_EVENT) != 0;
    options.inlined = (flags & ND_OP_FLAG_INLINE) != 0;
    return options;
}

// The kernel's own key is no region of the program: such a piece is refused like one without a region (R29, R30).
[[nodiscard]] inline core::LocalPiece piece_of(const ND2_SGE& sge) {
    const MrKey key{sge.MemoryRegionToken};
    return {static_cast<std::byte*>(sge.Buffer), sge.BufferLength, key == kPrivilegedKey ? MrKey{} : key};
}

// The answer to a post. One for which a queue has no room costs a look at the queue: a thread may try until there is
// room.
[[nodiscard]] inline HRESULT posted(core::Driver& driver, NTSTATUS status) {
    if (status == ND_NO_MORE_ENTRIES) {
        os::look_in_vain(driver, nullptr);
    }
    return status;
}

// The peer's rights from a Bind; none without a flag.
[[nodiscard]] inline std::uint8_t bind_access_of(ULONG flags) {
    std::uint8_t access = 0;
    access |= (flags & ND_OP_FLAG_ALLOW_READ) != 0 ? kRemoteRead : 0;
    access |= (flags & ND_OP_FLAG_ALLOW_WRITE) != 0 ? kRemoteWrite : 0;
    return access;
}

}  // namespace ndsim::nd
