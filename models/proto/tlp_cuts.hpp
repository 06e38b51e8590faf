// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

// How PCIe cuts transfers [timing.md 2.2]: writes at MPS, read requests at MRRS, both also at 4 KiB boundaries;
// completions at MPS and, except the last, on a read-completion boundary.
inline constexpr std::uint64_t kPciePage = 4096;

// Length of the first piece when [address, address + length) is cut at `limit` and at 4 KiB.
[[nodiscard]] constexpr std::uint32_t first_cut(Address address, std::uint32_t length, std::uint32_t limit) {
    const std::uint64_t to_page_end = kPciePage - raw(address) % kPciePage;
    return static_cast<std::uint32_t>(std::min({std::uint64_t{length}, std::uint64_t{limit}, to_page_end}));
}

// Pieces of [address, address + length) cut at `limit` and at 4 KiB.
[[nodiscard]] constexpr std::uint32_t cut_count(Address address, std::uint32_t length, std::uint32_t limit) {
    std::uint32_t count = 0;
    while (length > 0) {
        const std::uint64_t page_left = std::min<std::uint64_t>(length, kPciePage - raw(address) % kPciePage);
        count += static_cast<std::uint32_t>(ceil_div(page_left, limit));
        address = address + page_left;
        length -= static_cast<std::uint32_t>(page_left);
    }
    return count;
}

// Completions that answer one read request, which does not cross 4 KiB.
[[nodiscard]] constexpr std::uint32_t completion_count(Address address, std::uint32_t length, std::uint32_t mps,
                                                       std::uint32_t rcb) {
    // The first completion ends on the last boundary that MPS reaches; the next ones are MPS long.
    const std::uint64_t first_end = (raw(address) + mps) / rcb * rcb;
    const std::uint64_t first = std::min<std::uint64_t>(length, first_end - raw(address));
    return 1U + static_cast<std::uint32_t>(ceil_div(length - first, mps));
}

}  // namespace ndsim
