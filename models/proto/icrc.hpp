// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ndsim {

// The invariant CRC of a RoCEv2 packet over IPv4, from the IPv4 header to the end of the pad. Fields that routers may
// change count as ones, so that routers never break it [wire.md 1.5]. On the wire the least significant byte goes
// first. The bytes must hold at least an IPv4 header without options, UDP and BTH.
[[nodiscard]] std::uint32_t icrc(std::span<const std::byte> from_ip_to_pad);

}  // namespace ndsim
