// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/posting.hpp"
#include "ndapi/ndspi/nddef_v1.h"
#include "ndapi/windows/abi/byteorder.h"

// A window of version 1 as peers see it: all in network byte order.
namespace ndsim::nd {

[[nodiscard]] constexpr UINT64 swapped(UINT64 value) {
    return UINT64{htonl(static_cast<UINT32>(value))} << 32U | htonl(static_cast<UINT32>(value >> 32U));
}

// Describes part of a region under the key of a window.
[[nodiscard]] inline ND_MW_DESCRIPTOR descriptor_of(MrKey key, Address base, std::uint64_t length) {
    return {swapped(raw(base)), swapped(length), htonl(raw(key))};
}
[[nodiscard]] inline MrKey key_of(const ND_MW_DESCRIPTOR& window) {
    return MrKey{ntohl(window.Token)};
}
// The place that a request names in a window. The NIC of the window's owner checks its size.
[[nodiscard]] inline RemoteRange place_in(const ND_MW_DESCRIPTOR& window, ULONGLONG offset) {
    return {Address{swapped(window.Base) + offset}, key_of(window)};
}

}  // namespace ndsim::nd
