// SPDX-License-Identifier: Apache-2.0
#include "tests/reference/memory.hpp"

#include <algorithm>
#include <numeric>

namespace ndsim::reference {

namespace {

// The addresses of the first `most` bytes of the pieces.
std::vector<std::uint32_t> addresses(const std::vector<Span>& pieces, std::size_t most) {
    std::vector<std::uint32_t> list;
    for (const Span& piece : pieces) {
        for (std::uint32_t i = 0; i < piece.size && list.size() < most; ++i) {
            list.push_back(piece.offset + i);
        }
    }
    return list;
}

std::size_t length_of(const std::vector<Span>& pieces) {
    std::size_t sum = 0;
    for (const Span& piece : pieces) {
        sum += piece.size;
    }
    return sum;
}

// An uncertain one may write all of its target.
std::vector<std::uint32_t> target_of(const Transfer& transfer) {
    return addresses(transfer.target, transfer.certain ? length_of(transfer.source) : kMemory);
}

}  // namespace

Memories::Memories() {
    for (std::size_t side = 0; side < kSides; ++side) {
        bytes_[side].resize(kMemory);
        std::iota(bytes_[side].begin(), bytes_[side].end(), origin(side, 0));
        writers_[side].resize(kMemory, kNobody);
        last_[side].resize(kMemory);
    }
}

void Memories::mark_writers(const std::vector<Transfer>& transfers) {
    for (auto& writers : writers_) {
        std::fill(writers.begin(), writers.end(), kNobody);
    }
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        const std::size_t to = 1 - transfers[i].from;
        const auto mark = static_cast<std::uint8_t>(transfers[i].stream + 1);
        for (const std::uint32_t at : target_of(transfers[i])) {
            std::uint8_t& writer = writers_[to][at];
            writer = writer == kNobody || writer == mark ? mark : kSeveral;
            last_[to][at] = i;
        }
    }
}

void Memories::apply(const std::vector<Transfer>& transfers) {
    mark_writers(transfers);
    before_ = bytes_;
    for (const Transfer& transfer : transfers) {
        const std::size_t to = 1 - transfer.from;
        std::vector<Origin> bytes = transfer.captured.empty() ? source_of(transfer) : transfer.captured;
        // Packets that are sent again may be those of then, or have the bytes of now.
        for (std::size_t i = 0; i < transfer.posted.size(); ++i) {
            bytes[i] = bytes[i] == transfer.posted[i] ? bytes[i] : kUndefined;
        }
        const std::vector<std::uint32_t> target = target_of(transfer);
        for (std::size_t i = 0; i < target.size(); ++i) {
            const bool known = transfer.certain && writers_[to][target[i]] != kSeveral;
            bytes_[to][target[i]] = known ? bytes[i] : kUndefined;
        }
    }
}

// Behind a fence it holds what the Reads have brought, if nothing else comes there [K59].
std::vector<Origin> Memories::source_of(const Transfer& transfer) const {
    std::vector<Origin> bytes = taken(transfer.from, transfer.source);
    const std::vector<std::uint32_t> from = addresses(transfer.source, kMemory);
    for (std::size_t i = 0; i < from.size() && transfer.sees > 0; ++i) {
        if (writers_[transfer.from][from[i]] == transfer.reads + 1 && last_[transfer.from][from[i]] < transfer.sees) {
            bytes[i] = bytes_[transfer.from][from[i]];
        }
    }
    return bytes;
}

std::vector<Origin> Memories::taken(std::size_t side, const std::vector<Span>& pieces) const {
    std::vector<Origin> bytes;
    for (const std::uint32_t at : addresses(pieces, kMemory)) {
        bytes.push_back(writers_[side][at] == kNobody ? before_[side][at] : kUndefined);
    }
    return bytes;
}

}  // namespace ndsim::reference
