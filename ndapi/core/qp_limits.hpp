// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "models/proto/wqe.hpp"
#include "ndapi/core/posting.hpp"
#include "ndapi/core/status.hpp"

namespace ndsim::core {

// The sizes that a queue pair is created with, and what its interface asks for.
struct QpLimits {
    std::uint32_t receive_depth = 0;
    std::uint32_t initiator_depth = 0;
    std::uint32_t receive_sges = 0;
    std::uint32_t initiator_sges = 0;
    std::uint32_t inline_bytes = 0;
    // With those of NetworkDirect, a Read without agreed Reads fails as a request and not at its post.
    Documents documents = Documents::ndkpi;
    bool fills_units = false;  // a request may have as many SGEs as its units hold, beyond the counts above

    // The status that refuses a request with these pieces, or STATUS_SUCCESS. No NIC takes more than `most_sges` SGEs.
    [[nodiscard]] NTSTATUS error_of(WqeOpcode opcode, std::span<const LocalPiece> pieces, bool inlined,
                                    std::uint32_t most_sges) const;
};

}  // namespace ndsim::core
