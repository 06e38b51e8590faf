// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scenarios/forecast/reasons.hpp"

namespace ndsim::forecast {

// Why a peer has refused a write, a read or the invalidation of a key: from the calls by which its owner's program has
// opened the memory, and closed it.
[[nodiscard]] Reason reason_without_access(const Remains& remains, const FailedRequest& failed);
// Why a request may not use the memory that it names of its own host: from the same calls.
[[nodiscard]] Reason reason_of_own_pieces(const Remains& remains, const FailedRequest& failed);
// Why a bind, a fast_register or an invalidate has failed.
[[nodiscard]] Reason reason_of_own_memory(const Remains& remains, const FailedRequest& failed);
// Why the peer could not carry a message out: by the receive that has failed.
[[nodiscard]] Reason reason_of_failed_receive(const Remains& remains, const Endpoint& peer);

}  // namespace ndsim::forecast
