// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/proto/packet.hpp"
#include "models/proto/wc_status.hpp"

namespace ndsim {

// Why a request is refused for good: the NAK for the peer, and the status here.
struct Refusal {
    std::uint8_t nak = 0;
    WcStatus why = WcStatus::success;
};
inline constexpr Refusal kMalformed{Aeth::kNakInvalidRequest, WcStatus::loc_qp_op};
inline constexpr Refusal kTooManyReads{Aeth::kNakInvalidRequest, WcStatus::loc_qp_op};  // [X29]
inline constexpr Refusal kWrongLength{Aeth::kNakInvalidRequest, WcStatus::loc_len};
inline constexpr Refusal kNoAccess{Aeth::kNakRemoteAccess, WcStatus::loc_access};
inline constexpr Refusal kReceiveNotWritable{Aeth::kNakRemoteOperational, WcStatus::loc_prot};

// The status of the request named by a NAK that is no RNR NAK and asks for no packet [wire.md 8].
[[nodiscard]] constexpr WcStatus status_of_nak(std::uint8_t syndrome) {
    switch (syndrome) {
        case Aeth::kNakInvalidRequest:
            return WcStatus::rem_inv_req;
        case Aeth::kNakRemoteAccess:
            return WcStatus::rem_access;
        default:
            return WcStatus::rem_op;
    }
}

}  // namespace ndsim
