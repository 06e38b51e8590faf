// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ndsim {

// Whose word counts where sources disagree: NetworkDirect's documents, or what InfiniBand providers do (the column
// that ndkpi.md section 4 calls mlx).
enum class StatusProfile : std::uint8_t { documented, infiniband };
inline constexpr std::array<std::string_view, 2> kStatusProfileNames{"documented", "infiniband"};

}  // namespace ndsim
