// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace ndsim {

// A window is measured in this many batches of equal size.
inline constexpr std::uint64_t kBatches = 20;

// Half the width of the 95 % interval of the batches' mean, in ppm of that mean. None unless there are all kBatches of
// them, and their mean is above zero.
[[nodiscard]] std::optional<std::uint64_t> half_interval_ppm(std::span<const double> batches);

}  // namespace ndsim
