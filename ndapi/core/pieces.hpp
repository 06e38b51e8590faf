// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "models/parts/queue_params.hpp"
#include "ndapi/core/posting.hpp"

namespace ndsim::core {

// Pieces: a request's list of scatter/gather entries in the core's form; short lists without an allocation. Each
// interface has its own entry type, and supplies the function that reads it.
class Pieces {
public:
    // False if there is a count but no list. A list that is too long for any request is read only far enough to show
    // it; inline data, which has no such limit [K97], wholly.
    template <class Entry, class Read>
    [[nodiscard]] bool read(const Entry* list, std::size_t count, const Read& piece_of, bool inlined = false) {
        if (count > 0 && list == nullptr) {
            return false;
        }
        const std::size_t known = inlined ? count : std::min(count, kTooMany);
        std::span<LocalPiece> pieces(few_);
        if (known > kUsualPieces) {
            many_.resize(known);
            pieces = many_;
        }
        for (std::size_t i = 0; i < known; ++i) {
            pieces[i] = piece_of(list[i]);
        }
        pieces_ = pieces.first(known);
        return true;
    }
    [[nodiscard]] std::span<const LocalPiece> get() const { return pieces_; }

private:
    static constexpr std::size_t kUsualPieces = 8;
    static constexpr std::size_t kTooMany = kMostSges + 1;

    std::array<LocalPiece, kUsualPieces> few_;
    std::vector<LocalPiece> many_;
    std::span<const LocalPiece> pieces_;
};

}  // namespace ndsim::core
