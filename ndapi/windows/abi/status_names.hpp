// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "ndapi/windows/abi/ntstatus.h"

namespace ndsim {

struct StatusName {
    NTSTATUS status;
    std::string_view name;
};

// The statuses that a completion or a connect can have, or that a refused call returns, as scenarios and outputs name
// them: without STATUS_, in small letters.
inline constexpr std::array kStatusNames{
    StatusName{STATUS_SUCCESS, "success"},
    StatusName{STATUS_CANCELLED, "cancelled"},
    StatusName{STATUS_ACCESS_VIOLATION, "access_violation"},
    StatusName{STATUS_BUFFER_OVERFLOW, "buffer_overflow"},
    StatusName{STATUS_DATA_OVERRUN, "data_overrun"},
    StatusName{STATUS_REMOTE_RESOURCES, "remote_resources"},
    StatusName{STATUS_DATA_ERROR, "data_error"},
    StatusName{STATUS_IO_TIMEOUT, "io_timeout"},
    StatusName{STATUS_INTERNAL_ERROR, "internal_error"},
    StatusName{STATUS_INVALID_DEVICE_REQUEST, "invalid_device_request"},
    StatusName{STATUS_INVALID_DEVICE_STATE, "invalid_device_state"},
    StatusName{STATUS_INVALID_PARAMETER, "invalid_parameter"},
    StatusName{STATUS_NOT_SUPPORTED, "not_supported"},
    StatusName{STATUS_NO_MORE_ENTRIES, "no_more_entries"},
    StatusName{STATUS_INSUFFICIENT_RESOURCES, "insufficient_resources"},
    StatusName{STATUS_CONNECTION_INVALID, "connection_invalid"},
    StatusName{STATUS_REQUEST_ABORTED, "request_aborted"},
    StatusName{STATUS_CONNECTION_REFUSED, "connection_refused"},
    StatusName{STATUS_CONNECTION_RESET, "connection_reset"},
    StatusName{STATUS_CONNECTION_ABORTED, "connection_aborted"},
    StatusName{STATUS_CONNECTION_ACTIVE, "connection_active"},
    StatusName{STATUS_HOST_UNREACHABLE, "host_unreachable"},
};

}  // namespace ndsim
