// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/host_memory.hpp"
#include "models/proto/cqe.hpp"

namespace ndsim::core {

// A ring of CQEs in host memory, and the number of its first entry.
struct CqRing {
    HostMemory::Region memory;
    std::uint32_t entries = 0;
    std::uint32_t base = 0;

    [[nodiscard]] std::byte* entry(std::uint32_t number) const {
        return memory.data + std::size_t{(number - base) % entries} * kCqeSize;
    }
    [[nodiscard]] bool holds(std::uint32_t number) const {
        return cqe_owner(entry(number)) == cqe_owner_of(number - base, entries);
    }
    // The places behind a compressed entry belong to software: each gets the entry that it would have had.
    void expand(std::uint32_t number) const;
};

// CqRingChain: the rings of a completion queue: that from which polls take entries, and those given to the NIC since
// then, which polls reach when an entry announces the move. So entries stay in place, and in order [K169].
class CqRingChain {
public:
    // `watcher` hears of what the NIC writes into them.
    CqRingChain(HostMemory& memory, MemoryWatcher& watcher) : memory_(memory), watcher_(watcher) {}

    // Allocates a ring for a queue of this depth, which polls reach after all others.
    [[nodiscard]] const CqRing& add(std::uint32_t depth);
    // The NIC has not taken the ring at this address.
    void remove(Address ring);
    void free();

    [[nodiscard]] const CqRing& front() const { return rings_.front(); }
    [[nodiscard]] bool are_several() const { return rings_.size() > 1; }
    // Takes entry `number`, and counts it; nullptr if it is not there yet. It stays in memory until a later one is
    // taken.
    [[nodiscard]] const std::byte* take(std::uint32_t& number);
    // The entries that report a failure, from `number` up to `end`.
    [[nodiscard]] std::vector<Cqe> failures(std::uint32_t number, std::uint32_t end) const;

private:
    void go_on(std::uint32_t number);

    HostMemory& memory_;
    MemoryWatcher& watcher_;
    std::vector<CqRing> rings_;  // one but during a resize
};

}  // namespace ndsim::core
