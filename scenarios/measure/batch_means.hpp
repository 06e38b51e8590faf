// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace ndsim {

// A window is measured in so many batches of equal size.
inline constexpr std::uint64_t kBatches = 20;

// Half the width of the 95 % interval of the mean of what the batches brought, in ppm of that mean. None unless there
// are all kBatches of them, and their mean is more than nothing.
[[nodiscard]] std::optional<std::uint64_t> half_interval_ppm(std::span<const double> batches);

}  // namespace ndsim
