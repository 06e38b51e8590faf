// SPDX-License-Identifier: Apache-2.0
#include "models/proto/icrc.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace ndsim {

namespace {

constexpr std::size_t kLrh = 8;  // bytes of ones in place of the local route header
constexpr std::size_t kHeaders = 20 + 8 + 12;

// Bytes that count as ones, from the IPv4 header on: TOS, TTL, the checksums of IPv4 and UDP, and the BTH's byte with
// FECN and BECN.
constexpr std::array<std::size_t, 7> kVariant{1, 8, 10, 11, 26, 27, 32};

std::uint32_t continue_crc(std::uint32_t crc, std::span<const std::byte> bytes) {
    return static_cast<std::uint32_t>(
        crc32(crc, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

}  // namespace

std::uint32_t icrc(std::span<const std::byte> from_ip_to_pad) {
    std::array<std::byte, kLrh + kHeaders> head{};
    std::fill_n(head.begin(), kLrh, std::byte{0xFF});
    const auto headers = from_ip_to_pad.first<kHeaders>();
    std::copy(headers.begin(), headers.end(), head.begin() + kLrh);
    for (const std::size_t byte : kVariant) {
        head.at(kLrh + byte) = std::byte{0xFF};
    }
    return continue_crc(continue_crc(0, head), from_ip_to_pad.subspan(kHeaders));
}

}  // namespace ndsim
