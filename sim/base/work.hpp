// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "sim/base/ids.hpp"

namespace ndsim {

// Work: what a piece of a unit's work is, for traces: a packet, a doorbell, a transfer. What does not apply is left
// out.
struct Work {
    std::string_view what;                 // lives as long as the program
    RequestId request{};                   // that it is for
    std::optional<QpNum> qp{};             // whose it is
    std::optional<std::uint32_t> queue{};  // number of another queue
    std::optional<std::uint32_t> psn{};
    std::optional<std::uint32_t> bytes{};
};

}  // namespace ndsim
