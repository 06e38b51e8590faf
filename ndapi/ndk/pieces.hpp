// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "ndapi/core/qp.hpp"
#include "ndapi/ndk/ndkpi.h"

namespace ndsim::ndk {

// The pieces of a request: the usual few without an allocation.
class Pieces {
public:
    // False if there is a count but no list, or more entries than any request can have.
    [[nodiscard]] bool read(const NDK_SGE* sgl, ULONG count) {
        if ((count > 0 && sgl == nullptr) || count > kMostPieces) {
            return false;
        }
        std::span<core::LocalPiece> pieces(few_);
        if (count > kUsualPieces) {
            many_.resize(count);
            pieces = many_;
        }
        for (ULONG i = 0; i < count; ++i) {
            pieces[i] = {static_cast<std::byte*>(sgl[i].VirtualAddress), sgl[i].Length,
                         MrKey{sgl[i].MemoryRegionToken}};
        }
        pieces_ = pieces.first(count);
        return true;
    }
    [[nodiscard]] std::span<const core::LocalPiece> get() const { return pieces_; }

private:
    static constexpr std::size_t kUsualPieces = 8;
    static constexpr ULONG kMostPieces = 1024;

    std::array<core::LocalPiece, kUsualPieces> few_;
    std::vector<core::LocalPiece> many_;
    std::span<const core::LocalPiece> pieces_;
};

}  // namespace ndsim::ndk
