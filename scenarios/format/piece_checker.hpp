// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "scenarios/format/checks.hpp"

namespace ndsim::format {

[[nodiscard]] Bytes size_of(const std::vector<Piece>& pieces);

// PieceChecker: whether the pieces that a host's program names lie in their buffers, and make a message.
class PieceChecker {
public:
    PieceChecker(const Host& host, Checker& check) : host_(host), check_(check) {}

    // `path` is that of the operation or of the list's entry. Reports a piece that reaches beyond its buffer.
    [[nodiscard]] bool is_within(const Piece& piece, const std::string& path);
    // The same for all pieces of a post, the operation at `path`, and for their sum.
    [[nodiscard]] bool are_sound(const PostOp& post, const std::string& path);

private:
    const Host& host_;
    Checker& check_;
};

}  // namespace ndsim::format
