// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "ndapi/windows/abi/mdl.h"

namespace ndsim::ndk {

// The first byte of a buffer of `length` bytes described by a chain of MDLs; nullptr if the chain has a gap or is too
// short [K120].
[[nodiscard]] inline std::byte* contiguous(const MDL* chain, SIZE_T length) {
    if (chain == nullptr || length == 0) {
        return nullptr;
    }
    auto* const first = static_cast<std::byte*>(MmGetMdlVirtualAddress(chain));
    SIZE_T covered = MmGetMdlByteCount(chain);
    for (const MDL* next = chain->Next; next != nullptr && covered < length; next = next->Next) {
        if (static_cast<std::byte*>(MmGetMdlVirtualAddress(next)) != first + covered) {
            return nullptr;
        }
        covered += MmGetMdlByteCount(next);
    }
    return covered < length ? nullptr : first;
}

}  // namespace ndsim::ndk
