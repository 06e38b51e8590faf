// SPDX-License-Identifier: Apache-2.0
// Network byte order, as Winsock's headers offer it. Hosts are little endian, as Windows is.
#pragma once

#include "ndapi/windows/abi/types.h"

[[nodiscard]] constexpr USHORT htons(USHORT value) {
    return static_cast<USHORT>((value << 8U) | (value >> 8U));
}
[[nodiscard]] constexpr UINT32 htonl(UINT32 value) {
    return (value << 24U) | ((value & 0xFF00U) << 8U) | ((value >> 8U) & 0xFF00U) | (value >> 24U);
}
[[nodiscard]] constexpr USHORT ntohs(USHORT value) {
    return htons(value);
}
[[nodiscard]] constexpr UINT64 htonll(UINT64 value) {
    return __builtin_bswap64(value);
}
[[nodiscard]] constexpr UINT64 ntohll(UINT64 value) {
    return __builtin_bswap64(value);
}
[[nodiscard]] constexpr UINT32 ntohl(UINT32 value) {
    return htonl(value);
}
