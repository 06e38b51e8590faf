// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/cq_depth.hpp"
#include "ndapi/core/driver.hpp"

// What a program gets when it asks for queues (B3, B4): with Rounding::field more, as adapters in the field do and
// their programs rely on. `by_interface` is what the interface in use does by itself.
namespace ndsim::core {

// Whether this driver gives more.
[[nodiscard]] bool rounds(const Driver& driver, Rounding by_interface);
// As many as fit into the units that an entry of this kind with so many takes.
[[nodiscard]] std::uint32_t field_sges(const Driver& driver, WqeOpcode opcode, std::uint32_t sges);

}  // namespace ndsim::core
