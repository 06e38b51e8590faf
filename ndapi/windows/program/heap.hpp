// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "ndapi/windows/abi/critical_section.h"

namespace ndsim {

// Stands before each allocation, in the ring of its heap. 32 bytes, so that the memory behind it stays aligned.
struct alignas(16) HeapBlock {
    HeapBlock* previous = this;
    HeapBlock* next = this;
    std::size_t size = 0;
};
static_assert(sizeof(HeapBlock) == 32);

struct Heap {
    HeapBlock ring{};  // of all its allocations, and itself
    CRITICAL_SECTION lock{};
};

}  // namespace ndsim
