// SPDX-License-Identifier: Apache-2.0
#include "models/host/interrupt_controller.hpp"

#include "models/parts/ranks.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

InterruptController::InterruptController(const sc_core::sc_module_name& name, Timeline& timeline,
                                         const CpuParams& params)
    : Unit(name, timeline), delay_(params.msix_to_isr), pending_(*this, timeline, kRankInterrupt) {
    port.bind(*this);
}

std::uint32_t InterruptController::allocate_vector(std::function<void(Picoseconds)> handler) {
    const std::uint32_t vector = vectors_.take();
    grown(handlers_, vector) = std::move(handler);
    return vector;
}

void InterruptController::handle(const std::uint32_t& vector) {
    ++taken_;
    handlers_.at(vector)(now());
}

}  // namespace ndsim
