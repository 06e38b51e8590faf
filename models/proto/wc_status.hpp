// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ndsim {

// The hardware's status of a finished work request. The numbers are those of the verbs work completion (wire.md section
// 8); 3 concerns reliable datagrams only, and invalidate_error (a key in the wrong state) is a number of our own.
enum class WcStatus : std::uint8_t {
    success = 0,
    loc_len = 1,
    loc_qp_op = 2,
    loc_prot = 4,
    wr_flush = 5,
    mw_bind = 6,
    bad_resp = 7,
    loc_access = 8,
    rem_inv_req = 9,
    rem_access = 10,
    rem_op = 11,
    retry_exceeded = 12,
    rnr_retry_exceeded = 13,
    invalidate_error = 14,
};

// Indexed by the number, as a state probe needs it.
inline constexpr std::array<std::string_view, 15> kWcStatusNames{
    "success",    "loc_len", "loc_qp_op",      "loc_eec_op",         "loc_prot",
    "wr_flush",   "mw_bind", "bad_resp",       "loc_access",         "rem_inv_req",
    "rem_access", "rem_op",  "retry_exceeded", "rnr_retry_exceeded", "invalidate_error",
};

}  // namespace ndsim
