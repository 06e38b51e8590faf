// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/qp_limits.hpp"

namespace ndsim::core {

NTSTATUS QpLimits::error_of(WqeOpcode opcode, std::span<const LocalPiece> pieces, bool inlined,
                            std::uint32_t most_sges) const {
    const std::uint32_t sges = opcode == WqeOpcode::receive ? receive_sges : initiator_sges;
    const bool fits_units =
        fills_units && pieces.size() <= most_sges &&
        wqe_units(opcode, static_cast<std::uint32_t>(pieces.size()), 0) <= wqe_units(opcode, sges, 0);
    if (!inlined && pieces.size() > sges && !fits_units) {
        return STATUS_DATA_OVERRUN;
    }
    const std::uint64_t most_bytes = inlined ? inline_bytes : kMaxTransfer;
    return total_length(pieces) > most_bytes ? STATUS_BUFFER_OVERFLOW : STATUS_SUCCESS;
}

}  // namespace ndsim::core
