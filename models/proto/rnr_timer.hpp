// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "sim/base/units.hpp"

namespace ndsim {

// The time that an RNR NAK with this timer code asks the requester to wait [X21, wire.md 2.2].
[[nodiscard]] constexpr Picoseconds rnr_wait(std::uint8_t code) {
    constexpr std::array<std::uint32_t, 32> kTensOfMicroseconds{
        65536, 1,   2,   3,   4,    6,    8,    12,   16,   24,   32,   48,    64,    96,    128,   192,
        256,   384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
    return std::chrono::microseconds{10} * kTensOfMicroseconds[code & 0x1FU];
}

}  // namespace ndsim
