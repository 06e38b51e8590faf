// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "ndapi/core/posting.hpp"

namespace ndsim::core {

// Pieces: what a request's list of scatter/gather entries says, in the words of the core; the usual few without an
// allocation. Each interface has an entry of its own, and says how to read one.
class Pieces {
public:
    // False if there is a count but no list, or more entries than any request can have.
    template <class Entry, class Read>
    [[nodiscard]] bool read(const Entry* list, std::size_t count, const Read& piece_of) {
        if ((count > 0 && list == nullptr) || count > kMostPieces) {
            return false;
        }
        std::span<LocalPiece> pieces(few_);
        if (count > kUsualPieces) {
            many_.resize(count);
            pieces = many_;
        }
        for (std::size_t i = 0; i < count; ++i) {
            pieces[i] = piece_of(list[i]);
        }
        pieces_ = pieces.first(count);
        return true;
    }
    [[nodiscard]] std::span<const LocalPiece> get() const { return pieces_; }

private:
    static constexpr std::size_t kUsualPieces = 8;
    static constexpr std::size_t kMostPieces = 1024;

    std::array<LocalPiece, kUsualPieces> few_;
    std::vector<LocalPiece> many_;
    std::span<const LocalPiece> pieces_;
};

}  // namespace ndsim::core
