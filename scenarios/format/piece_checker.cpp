// SPDX-License-Identifier: Apache-2.0
#include "scenarios/format/piece_checker.hpp"

#include "scenarios/format/read.hpp"
#include "scenarios/format/tree.hpp"

namespace ndsim::format {

namespace {

constexpr Bytes kLargestMessage{1ULL << 30U};

}  // namespace

Bytes size_of(const std::vector<Piece>& pieces) {
    Bytes total{};
    for (const Piece& piece : pieces) {
        total = total + piece.size;
    }
    return total;
}

bool PieceChecker::is_within(const Piece& piece, const std::string& path) {
    const Buffer* const buffer = find_named(host_.buffers, piece.buffer);
    const bool known = buffer != nullptr && check_.is_sound("hosts." + host_.name + ".buffers." + piece.buffer);
    if (!known || piece.offset + piece.size <= buffer->size) {
        return true;
    }
    check_.wrong(path + (check_.is_said(path + ".size") ? ".size" : ".offset"),
                 to_text(piece.size) + " at " + to_text(piece.offset) + " reach beyond buffer " + piece.buffer +
                     " of " + to_text(buffer->size));
    return false;
}

bool PieceChecker::are_sound(const PostOp& post, const std::string& path) {
    bool are_sound = true;
    for (std::size_t i = 0; i < post.pieces.size(); ++i) {
        const std::string entry = element(path + ".sgl", i);
        are_sound = is_within(post.pieces[i], check_.is_said(entry) ? entry : path) && are_sound;
    }
    if (const Bytes total = size_of(post.pieces); total > kLargestMessage && post.memory.empty()) {
        check_.wrong(path + ".sgl", "a message has at most 1 GiB, these are " + to_text(total));
        return false;
    }
    return are_sound;
}

}  // namespace ndsim::format
