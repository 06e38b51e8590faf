// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/cq_ring_chain.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace ndsim::core {

void CqRing::expand(std::uint32_t number) const {
    std::array<std::byte, kCqeSize> compressed{};
    std::copy_n(entry(number), kCqeSize, compressed.begin());
    for (std::uint32_t i = 0; i < completions_of_cqe(compressed.data()); ++i) {
        write_cqe(entry(number + i), read_compressed_cqe(compressed.data(), i),
                  cqe_owner_of(number + i - base, entries));
    }
}

// One place more than the NIC may fill, for the entry that announces the move to another ring.
const CqRing& CqRingChain::add(std::uint32_t depth) {
    CqRing ring;
    ring.entries = std::bit_ceil(depth + 1);
    ring.memory = memory_.allocate(std::uint64_t{ring.entries} * kCqeSize);
    memory_.watch(ring.memory.base, watcher_);
    return rings_.emplace_back(ring);
}

void CqRingChain::remove(Address ring) {
    std::erase_if(rings_, [ring](const CqRing& each) { return each.memory.base == ring; });
    memory_.remove(ring);
}

void CqRingChain::free() {
    for (const CqRing& ring : rings_) {
        memory_.remove(ring.memory.base);
    }
}

const std::byte* CqRingChain::take(std::uint32_t& number) {
    while (front().holds(number)) {
        const std::byte* const entry = front().entry(number);
        if (cqe_moved(entry)) {
            go_on(number);
            continue;
        }
        if (completions_of_cqe(entry) > 1) {
            front().expand(number);
        }
        ++number;
        return entry;
    }
    return nullptr;
}

std::vector<Cqe> CqRingChain::failures(std::uint32_t number, std::uint32_t end) const {
    std::vector<Cqe> failures;
    auto next = rings_.begin();
    CqRing ring = *next;
    while (number != end && ring.holds(number)) {
        const std::byte* const entry = ring.entry(number);
        if (cqe_moved(entry)) {
            ring = *++next;
            ring.base = number;  // as it will be when polls get there
        } else if (const std::uint32_t completions = completions_of_cqe(entry); completions > 1) {
            number += completions;  // compressed entries are successes
        } else {
            if (const Cqe cqe = read_cqe(entry); cqe.status != WcStatus::success) {
                failures.push_back(cqe);
            }
            ++number;
        }
    }
    return failures;
}

// Polls continue in the next ring with entry `number`.
void CqRingChain::go_on(std::uint32_t number) {
    memory_.remove(front().memory.base);
    rings_.erase(rings_.begin());
    rings_.front().base = number;
}

}  // namespace ndsim::core
