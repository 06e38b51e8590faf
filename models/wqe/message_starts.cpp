// SPDX-License-Identifier: Apache-2.0
#include "models/wqe/message_starts.hpp"

namespace ndsim {

MessageStarts::MessageStarts(Unit& owner, const WqeParams& params)
    : qp_rate_(ExactRate::per_item(params.per_qp_rate)),
      nic_rate_(ExactRate::per_item(params.global_rate)),
      in_flight_(owner, kInFlightPool, params.sq_in_flight) {}

std::optional<Picoseconds> MessageStarts::until(Stall missing, Picoseconds at) {
    return missing == Stall::nic_rate ? nic_rate_.free_at() : in_flight_.when_available(1, at);
}

}  // namespace ndsim
