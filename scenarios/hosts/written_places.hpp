// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>

#include "models/host/core.hpp"
#include "models/host/host_memory.hpp"

namespace ndsim {

// WrittenPlaces: the bytes of a buffer on which a program spins, and the NIC's writes to them that no spin has taken
// yet.
class WrittenPlaces final : public MemoryWatcher {
public:
    // Offsets count from `base`; a core notices a write `detect` after it is visible.
    void begin(Address base, Picoseconds detect) {
        base_ = base;
        detect_ = detect;
    }
    void add(std::uint64_t offset) { places_[offset]; }
    // The core spins until there is a write to the byte at `offset`, and takes it.
    void spin(Core& core, std::uint64_t offset);

    void memory_written(Address address, std::uint64_t length, Picoseconds at) override;

private:
    Address base_{};
    Picoseconds detect_{};
    std::map<std::uint64_t, std::deque<Picoseconds>> places_;
    Core* spinning_ = nullptr;
};

}  // namespace ndsim
