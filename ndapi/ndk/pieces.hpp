// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/core/pieces.hpp"
#include "ndapi/ndk/ndkpi.h"

namespace ndsim::ndk {

[[nodiscard]] inline core::LocalPiece piece_of(const NDK_SGE& sge) {
    return {static_cast<std::byte*>(sge.VirtualAddress), sge.Length, MrKey{sge.MemoryRegionToken}};
}

}  // namespace ndsim::ndk
