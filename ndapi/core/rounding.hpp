// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/cq_depth.hpp"
#include "ndapi/core/driver.hpp"

// The queue sizes that a program gets (B3, B4). Rounding::field gives more, as adapters in the field do and their
// programs expect. `by_interface` is the default of the interface in use.
namespace ndsim::core {

// Whether this driver rounds up.
[[nodiscard]] bool rounds(const Driver& driver, Rounding by_interface);
// The SGEs that fit into the units of an entry of this kind with `sges` of them.
[[nodiscard]] std::uint32_t field_sges(const Driver& driver, WqeOpcode opcode, std::uint32_t sges);

}  // namespace ndsim::core
