// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/proto/packet.hpp"
#include "models/proto/wc_status.hpp"
#include "models/transport/responder_state.hpp"

namespace ndsim {

// Where a request stands by its PSN: it came before, it is the next one, or others are missing before it.
enum class PsnOrder : std::uint8_t { duplicate, next, gap };
[[nodiscard]] PsnOrder order_of(Psn psn, Psn expected);

// Whether a packet may come in this state of its queue pair: first and middle packets are full, last ones not empty,
// and they come in this order [X5].
[[nodiscard]] bool is_well_formed(const Packet& packet, ResponderState state, std::uint32_t mtu);

// Why a request is refused for good: the NAK that the peer gets, and the status here.
struct Refusal {
    std::uint8_t nak = 0;
    WcStatus why = WcStatus::success;
};
inline constexpr Refusal kMalformed{Aeth::kNakInvalidRequest, WcStatus::loc_qp_op};
inline constexpr Refusal kTooManyReads{Aeth::kNakInvalidRequest, WcStatus::loc_qp_op};  // [X29]
inline constexpr Refusal kWrongLength{Aeth::kNakInvalidRequest, WcStatus::loc_len};
inline constexpr Refusal kNoAccess{Aeth::kNakRemoteAccess, WcStatus::loc_access};
inline constexpr Refusal kReceiveNotWritable{Aeth::kNakRemoteOperational, WcStatus::loc_prot};

}  // namespace ndsim
