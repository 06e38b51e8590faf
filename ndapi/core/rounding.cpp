// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/rounding.hpp"

#include <algorithm>
#include <bit>

#include "models/proto/wqe.hpp"
#include "ndapi/core/adapter_limits.hpp"

namespace ndsim::core {

bool rounds(const Driver& driver, Rounding by_interface) {
    const Rounding choice = driver.params().adapter.rounding;
    return (choice == Rounding::by_interface ? by_interface : choice) == Rounding::field;
}

// The ring also needs a place for the entry that says that the queue goes on in another ring.
std::uint32_t field_cq_depth(std::uint32_t depth) {
    return std::min(std::bit_ceil(depth + 2) - 1, kMaxCqDepth);
}

std::uint32_t field_sges(const Driver& driver, WqeOpcode opcode, std::uint32_t sges) {
    const std::uint32_t units = wqe_units(opcode, sges, 0);
    while (sges < driver.params().nic.queues.max_sge && wqe_units(opcode, sges + 1, 0) == units) {
        ++sges;
    }
    return sges;
}

}  // namespace ndsim::core
