// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

// Hears that a device has written to a region: a core that spins on it.
class MemoryWatcher {
public:
    virtual void memory_written(Address address, std::uint64_t length, Picoseconds at) = 0;

protected:
    ~MemoryWatcher() = default;
};

// A part of a host's address space, and its bytes.
struct HostRegion {
    Address base{};
    std::byte* data = nullptr;
    std::uint64_t length = 0;

    [[nodiscard]] bool holds(Address address, std::uint64_t bytes) const;
};

// A region with its pages and its watcher.
struct MappedRegion {
    HostRegion region;
    std::shared_ptr<std::byte[]> own;  // none: the caller's buffer
    MemoryWatcher* watcher = nullptr;
};

// RegionTable: the regions of an address space, found by an address inside. The addresses of new regions only grow,
// and a page stays free behind each region, so that an access past its end is found. An index tells which regions begin
// in a block of the address space, so a search looks at few of them.
class RegionTable {
public:
    static constexpr std::uint64_t kPage = 4096;

    // A new region behind all others, `page_offset` bytes behind the start of a page.
    [[nodiscard]] MappedRegion& add(std::byte* data, std::uint64_t length, std::uint64_t page_offset);
    // The region that contains the whole range, or nullptr.
    [[nodiscard]] MappedRegion* find(Address address, std::uint64_t length) const;
    // Removes a region, which find() has returned.
    void remove(const MappedRegion& mapped);

private:
    static constexpr std::uint64_t kFirst = 0x1000'0000;

    // A region and its first address, by which a search finds it without a look at the others.
    struct Place {
        Address base{};
        std::unique_ptr<MappedRegion> mapped;  // none: it was removed
    };

    [[nodiscard]] std::uint64_t block_of(Address address) const { return (raw(address) - kFirst) >> block_bits_; }
    // The number of regions that begin in blocks before this one.
    [[nodiscard]] std::size_t before(std::uint64_t block) const {
        return block < before_.size() ? before_[block] : places_.size();
    }
    // The number of regions that begin at or before the address.
    [[nodiscard]] std::size_t up_to(Address address) const;
    // The index is longer than the regions deserve: addresses of removed ones are not used again.
    [[nodiscard]] bool is_index_sparse() const;
    void index(std::size_t place);
    void index_all();

    std::vector<Place> places_;          // by address
    std::vector<std::uint32_t> before_;  // by block
    std::uint32_t block_bits_ = 16;      // of an address in its block
    std::size_t removed_ = 0;            // of places_
    Address next_{kFirst};
};

}  // namespace ndsim
