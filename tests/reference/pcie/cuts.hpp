// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

// How PCIe cuts transfers, from the rules alone and one TLP at a time.
namespace ndsim::reference::pcie {

struct Piece {
    std::uint64_t address = 0;
    std::uint64_t length = 0;
};

// Writes (`limit` is MPS) and read requests (MRRS): no piece is longer than the limit or crosses 4 KiB.
[[nodiscard]] inline std::vector<Piece> cut(std::uint64_t address, std::uint64_t length, std::uint64_t limit) {
    std::vector<Piece> pieces;
    while (length > 0) {
        std::uint64_t part = std::min(length, limit);
        part = std::min(part, 4096 - address % 4096);
        pieces.push_back({address, part});
        address += part;
        length -= part;
    }
    return pieces;
}

// Completions of one request: none is longer than MPS, and all but the last end on RCB. One that begins off RCB ends on
// the last RCB that MPS reaches, also where MPS would hold all: "a misaligned transfer costs one more TLP".
[[nodiscard]] inline std::vector<Piece> completions(std::uint64_t address, std::uint64_t length, std::uint64_t mps,
                                                    std::uint64_t rcb) {
    std::vector<Piece> pieces;
    while (length > 0) {
        std::uint64_t end = address + mps;
        end -= end % rcb;
        const std::uint64_t part = std::min(length, end - address);
        pieces.push_back({address, part});
        address += part;
        length -= part;
    }
    return pieces;
}

}  // namespace ndsim::reference::pcie
