// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/model.hpp"

namespace ndsim::reference {

// One message on its way from a host's memory into the other's.
struct Transfer {
    std::size_t from = 0;    // the side
    std::size_t stream = 0;  // transfers of one stream arrive in order
    std::vector<Span> source;
    std::vector<Origin> captured;  // what the post took of the source, if it did so in an earlier epoch
    std::vector<Origin> posted;    // what the source held when the request was posted, if that was in an earlier epoch
    std::vector<Span> target;      // longer than the source, maybe
    bool certain = true;           // else nobody knows what of it arrives
    // Of a request that a fence holds: it sees what Reads of its queue pair have brought, those in the list before
    // this.
    std::size_t sees = 0;
    std::size_t reads = 0;  // their stream
};

// The memories of both hosts. Within an epoch all streams run at once, so what two of them write, or one writes and
// another reads, is undefined.
class Memories {
public:
    Memories();

    void apply(const std::vector<Transfer>& transfers);
    // What a post of the epoch applied last has taken of these pieces.
    [[nodiscard]] std::vector<Origin> taken(std::size_t side, const std::vector<Span>& pieces) const;

    [[nodiscard]] const std::array<std::vector<Origin>, kSides>& bytes() const { return bytes_; }

private:
    void mark_writers(const std::vector<Transfer>& transfers);
    [[nodiscard]] std::vector<Origin> source_of(const Transfer& transfer) const;

    static constexpr std::uint8_t kNobody = 0;
    static constexpr std::uint8_t kSeveral = 0xFF;

    std::array<std::vector<Origin>, kSides> bytes_;
    std::array<std::vector<Origin>, kSides> before_;         // the epoch
    std::array<std::vector<std::uint8_t>, kSides> writers_;  // in this epoch, by byte: the stream and one
    std::array<std::vector<std::size_t>, kSides> last_;      // which transfer writes the byte last, if it is one stream
};

}  // namespace ndsim::reference
