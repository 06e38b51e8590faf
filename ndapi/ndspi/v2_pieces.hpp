// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/posting.hpp"
#include "ndapi/ndspi/nddef.h"

namespace ndsim::nd {

[[nodiscard]] inline core::LocalPiece piece_of(const ND2_SGE& sge) {
    return {static_cast<std::byte*>(sge.Buffer), sge.BufferLength, MrKey{sge.MemoryRegionToken}};
}

}  // namespace ndsim::nd
