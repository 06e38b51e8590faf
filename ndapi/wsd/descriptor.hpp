// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <optional>

#include "ndapi/wsd/ws2san.h"

namespace ndsim::wsd {

// The peer's description of memory that is open to it. For switches it is 24 bytes, which they carry from one to the
// other (wsd.md 5.2).
struct Descriptor {
    UINT64 address = 0;
    UINT32 length = 0;
    UINT32 key = 0;
    UINT64 registration = 0;  // the owner's name for it
};
static_assert(sizeof(Descriptor) == 24);

// Nothing if this is no descriptor of this provider (W83).
[[nodiscard]] inline std::optional<Descriptor> descriptor_of(const VOID* bytes, DWORD length) {
    if (bytes == nullptr || length != sizeof(Descriptor)) {
        return std::nullopt;
    }
    Descriptor result;
    std::memcpy(&result, bytes, sizeof result);
    return result;
}

}  // namespace ndsim::wsd
