// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/nic/send_steps.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/result/limit_shares.hpp"

namespace ndsim {

// The name in metrics of a step's pool on this host.
[[nodiscard]] std::string pool_name(const Host& host, const SendStep& step);
// The share of time in which the pool was a limit, in parts per million.
[[nodiscard]] std::uint64_t pool_share(const LimitShares& shares, const Host& host, const SendStep& step);

}  // namespace ndsim
