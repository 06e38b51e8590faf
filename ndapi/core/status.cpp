// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/status.hpp"

#include <optional>

#include "ndapi/windows/abi/ntstatus.h"

namespace ndsim {

namespace {

// One event of ndkpi.md section 4. A row without a kind or documents holds for all that have no row above it.
struct StatusRow {
    WcStatus status{};
    std::optional<OperationKind> kind;
    NTSTATUS documented = STATUS_SUCCESS;
    NTSTATUS infiniband = STATUS_SUCCESS;
    std::optional<Documents> documents{};
};

// Where the documents of NDKPI and NetworkDirect are silent, wire.md 11.3 and ndspi.md 6 fill the first column.
constexpr std::array kRows{
    // went well
    StatusRow{WcStatus::success, {}, STATUS_SUCCESS, STATUS_SUCCESS},
    // flushed: NdkFlush, disconnect, close, or an earlier request failed
    StatusRow{WcStatus::wr_flush, {}, STATUS_CANCELLED, STATUS_CANCELLED},
    // token, range or rights of an own SGE are bad
    StatusRow{WcStatus::loc_prot, {}, STATUS_ACCESS_VIOLATION, STATUS_ACCESS_VIOLATION},
    StatusRow{WcStatus::loc_access, {}, STATUS_ACCESS_VIOLATION, STATUS_ACCESS_VIOLATION},
    // the message is longer than the receive's buffers
    StatusRow{WcStatus::loc_len, OperationKind::receive, STATUS_BUFFER_OVERFLOW, STATUS_DATA_OVERRUN},
    // the NIC finds the request longer than it may be
    StatusRow{WcStatus::loc_len, {}, STATUS_DATA_OVERRUN, STATUS_DATA_OVERRUN},
    // the peer finds the request invalid: a Send longer than its receive, or one that names a bad token
    StatusRow{WcStatus::rem_inv_req, {}, STATUS_REMOTE_RESOURCES, STATUS_DATA_ERROR},
    // the peer refuses token, range or rights
    StatusRow{WcStatus::rem_access, {}, STATUS_REMOTE_RESOURCES, STATUS_ACCESS_VIOLATION},
    // the peer failed to execute it, or answered nonsense
    StatusRow{WcStatus::rem_op, {}, STATUS_REMOTE_RESOURCES, STATUS_DATA_ERROR},
    StatusRow{WcStatus::bad_resp, {}, STATUS_REMOTE_RESOURCES, STATUS_DATA_ERROR},
    // no receive posted, or no acknowledgement, until the retries were used up
    StatusRow{WcStatus::rnr_retry_exceeded, {}, STATUS_IO_TIMEOUT, STATUS_IO_TIMEOUT},
    StatusRow{WcStatus::retry_exceeded, {}, STATUS_IO_TIMEOUT, STATUS_IO_TIMEOUT},
    // SendAndInvalidate with a bad token: the receive
    StatusRow{WcStatus::invalidate_error, OperationKind::receive, STATUS_INVALID_DEVICE_REQUEST, STATUS_DATA_ERROR},
    // a key in the wrong state: Invalidate of one that is not valid, FastRegister or Bind of one that still is
    StatusRow{WcStatus::invalidate_error, {}, STATUS_INVALID_DEVICE_REQUEST, STATUS_INTERNAL_ERROR},
    // the hardware refuses a Bind [R111]
    StatusRow{WcStatus::mw_bind, {}, STATUS_INVALID_DEVICE_REQUEST, STATUS_ACCESS_VIOLATION, Documents::networkdirect},
    StatusRow{WcStatus::mw_bind, {}, STATUS_ACCESS_VIOLATION, STATUS_ACCESS_VIOLATION},
    // a Read on a connection that has none
    StatusRow{WcStatus::loc_qp_op, OperationKind::read, STATUS_INVALID_DEVICE_REQUEST, STATUS_INTERNAL_ERROR},
    // the QP failed inside
    StatusRow{WcStatus::loc_qp_op, {}, STATUS_INTERNAL_ERROR, STATUS_INTERNAL_ERROR},
};

}  // namespace

NTSTATUS completion_status(StatusProfile profile, WcStatus status, OperationKind kind, Documents documents) {
    for (const StatusRow& row : kRows) {
        if (row.status == status && row.kind.value_or(kind) == kind && row.documents.value_or(documents) == documents) {
            return profile == StatusProfile::documented ? row.documented : row.infiniband;
        }
    }
    return STATUS_INTERNAL_ERROR;
}

}  // namespace ndsim
