// SPDX-License-Identifier: Apache-2.0
#include "sim/base/page_blocks.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace ndsim {

std::shared_ptr<std::byte[]> PageBlocks::take(std::uint64_t length) {
    const std::uint64_t whole = PageMemory::whole_pages(length);
    if (block_ == nullptr || whole > block_->size() - used_) {
        block_ = std::make_shared<PageMemory>(std::max(whole, kBlock));
        used_ = 0;
    }
    std::byte* const piece = block_->data() + used_;
    used_ += whole;
    return {block_, piece};
}

void PageBlocks::drop(std::byte* piece, std::uint64_t length) {
    ::madvise(piece, PageMemory::whole_pages(length), MADV_DONTNEED);
}

}  // namespace ndsim
