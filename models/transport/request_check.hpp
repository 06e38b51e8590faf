// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/proto/packet.hpp"
#include "models/transport/responder_state.hpp"

namespace ndsim {

// The place of a request by its PSN: it came before, is the next one, or others are missing before it.
enum class PsnOrder : std::uint8_t { duplicate, next, gap };
[[nodiscard]] PsnOrder order_of(Psn psn, Psn expected);

// Whether a packet may come in this state of its queue pair: first and middle packets are full, last ones not empty,
// and they come in this order [X5].
[[nodiscard]] bool is_well_formed(const Packet& packet, ResponderState state, std::uint32_t mtu);

}  // namespace ndsim
