// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/rounding.hpp"

#include "models/proto/wqe.hpp"

namespace ndsim::core {

bool rounds(const Driver& driver, Rounding by_interface) {
    const Rounding choice = driver.params().adapter.rounding;
    return (choice == Rounding::by_interface ? by_interface : choice) == Rounding::field;
}

std::uint32_t field_sges(const Driver& driver, WqeOpcode opcode, std::uint32_t sges) {
    const std::uint32_t units = wqe_units(opcode, sges, 0);
    while (sges < driver.params().nic.queues.max_sge && wqe_units(opcode, sges + 1, 0) == units) {
        ++sges;
    }
    return sges;
}

}  // namespace ndsim::core
