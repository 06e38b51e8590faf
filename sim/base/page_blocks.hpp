// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "sim/base/page_memory.hpp"

namespace ndsim {

// PageBlocks: zeroed pieces of whole pages, cut from blocks of address space that are mapped at once, as a process may
// have only so many mappings. A page that nobody touches costs no memory; a block goes with its last piece.
class PageBlocks {
public:
    static constexpr std::uint64_t kBlock = std::uint64_t{16} << 20U;

    [[nodiscard]] std::shared_ptr<std::byte[]> take(std::uint64_t length);
    // The bytes of a piece that is about to go are needed no longer: its pages go at once.
    static void drop(std::byte* piece, std::uint64_t length);

private:
    std::shared_ptr<PageMemory> block_;
    std::uint64_t used_ = 0;  // of block_
};

}  // namespace ndsim
