// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "models/proto/queue_params.hpp"
#include "ndapi/core/posting.hpp"

namespace ndsim::core {

// Pieces: what a request's list of scatter/gather entries says, in the words of the core; the usual few without an
// allocation. Each interface has an entry of its own, and says how to read one.
class Pieces {
public:
    // False if there is a count but no list. Of a list that is too long for any request only so many entries are read
    // that it shows; of inline data, for which there is no such limit [K97], all.
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
