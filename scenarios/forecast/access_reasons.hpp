// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/forecast/reasons.hpp"

namespace ndsim::forecast {

// Why a peer has refused a write, a read or the invalidation of a key: from the calls by which its owner's program has
// opened the memory, and closed it.
[[nodiscard]] Reason reason_without_access(const Remains& remains, const FailedRequest& failed);

}  // namespace ndsim::forecast
