// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "sim/base/ids.hpp"

namespace ndsim {

// Work: a piece of a unit's work for traces: a packet, a doorbell, a transfer. Fields that do not apply are left out.
struct Work {
    std::string_view what;                 // lives as long as the program
    RequestId request{};                   // the request that it serves
    std::optional<QpNum> qp{};             // its queue pair
    std::optional<std::uint32_t> queue{};  // number of another queue
    std::optional<std::uint32_t> psn{};
    std::optional<std::uint32_t> bytes{};
};

}  // namespace ndsim
