// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <systemc>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

// Host memory as the root complex sees it.
class MemoryPort : public virtual sc_core::sc_interface {
public:
    // The bytes behind [address, address + length), or nullptr if that is not wholly inside one region.
    [[nodiscard]] virtual std::byte* bytes(Address address, std::uint64_t length) = 0;
    // Whether all of [address, address + length) is in one region.
    [[nodiscard]] virtual bool holds(Address address, std::uint64_t length) const = 0;
    // A device's write to [address, address + length) is visible from `at` on. Tells the watcher of the region.
    virtual void written(Address address, std::uint64_t length, Picoseconds at) = 0;
};

// The CPU's last-level cache as software fills it.
class CpuCache {
public:
    // Software has written to [address, address + length).
    virtual void software_wrote(Address address, std::uint64_t length) = 0;

protected:
    ~CpuCache() = default;
};

// The CPU's interrupt input: MSI-X message `vector` has arrived.
class InterruptPort : public virtual sc_core::sc_interface {
public:
    virtual void interrupt(std::uint32_t vector, Picoseconds at) = 0;
};

}  // namespace ndsim
