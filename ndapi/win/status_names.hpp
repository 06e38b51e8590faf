// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "ndapi/win/ntstatus.h"

namespace ndsim {

struct StatusName {
    NTSTATUS status;
    std::string_view name;
};

// The statuses that a completion can have, or that a refused post returns, as scenarios and outputs name them: without
// STATUS_, in small letters.
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
    StatusName{STATUS_INVALID_PARAMETER, "invalid_parameter"},
    StatusName{STATUS_NO_MORE_ENTRIES, "no_more_entries"},
    StatusName{STATUS_CONNECTION_INVALID, "connection_invalid"},
    StatusName{STATUS_REQUEST_ABORTED, "request_aborted"},
};

}  // namespace ndsim
