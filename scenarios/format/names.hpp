// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "scenarios/format/program.hpp"

namespace ndsim::format {

// The flags of a send, as a program writes them, and their bits.
inline constexpr std::array<std::string_view, 5> kPostFlagNames{"inline", "silent_success", "solicit", "defer",
                                                                "read_fence"};
inline constexpr std::array<PostFlag, kPostFlagNames.size()> kPostFlags{kPostInline, kPostSilentSuccess, kPostSolicit,
                                                                        kPostDefer, kPostReadFence};

// The statuses that a completion can have, or that a refused post returns: NTSTATUS names without STATUS_, in small
// letters.
inline constexpr std::array<std::string_view, 14> kStatusNames{
    "success",           "cancelled",       "access_violation",   "buffer_overflow", "data_overrun",
    "remote_resources",  "data_error",      "io_timeout",         "internal_error",  "invalid_device_request",
    "invalid_parameter", "no_more_entries", "connection_invalid", "request_aborted",
};

}  // namespace ndsim::format
