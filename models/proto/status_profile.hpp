// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ndsim {

// Which source wins where sources disagree: NetworkDirect's documents, or the behaviour of InfiniBand providers (the
// column that ndkpi.md section 4 calls mlx).
enum class StatusProfile : std::uint8_t { documented, infiniband };
inline constexpr std::array<std::string_view, 2> kStatusProfileNames{"documented", "infiniband"};

}  // namespace ndsim
