// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/proto/status_profile.hpp"
#include "models/proto/wc_status.hpp"
#include "ndapi/windows/abi/types.h"

namespace ndsim {

// The kind of a completion's request. A SendAndInvalidate is a send, and the receive that it consumes a receive.
enum class OperationKind : std::uint8_t { receive, send, read, write, bind, fast_register, invalidate };
inline constexpr std::array<std::string_view, 7> kOperationKindNames{"receive", "send",          "read",      "write",
                                                                     "bind",    "fast_register", "invalidate"};
[[nodiscard]] constexpr std::string_view name_of(OperationKind kind) {
    return kOperationKindNames[static_cast<std::size_t>(kind)];
}

// The documents that the profile `documented` follows: those of the consumer's interface.
enum class Documents : std::uint8_t { ndkpi, networkdirect };

// The status of a completion for the consumer: one row per event in status.cpp. STATUS_INTERNAL_ERROR for a number that
// is no WcStatus.
[[nodiscard]] NTSTATUS completion_status(StatusProfile profile, WcStatus status, OperationKind kind,
                                         Documents documents = Documents::ndkpi);

}  // namespace ndsim
