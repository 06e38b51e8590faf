// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "models/host/region_table.hpp"
#include "models/ports/memory.hpp"
#include "sim/base/page_blocks.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// HostMemory: the address space of one host. Each of its regions has pages of its own or is a buffer of the program
// that registered it. Addresses are the same in every run, whatever the program's pointers are.
class HostMemory final : public Unit, public MemoryPort {
public:
    static constexpr std::uint64_t kPage = RegionTable::kPage;

    sc_core::sc_export<MemoryPort> port{"port"};

    HostMemory(const sc_core::sc_module_name& name, Timeline& timeline);

    using Region = HostRegion;
    // A region in pages of its own, all zero; untouched pages cost next to nothing.
    [[nodiscard]] Region allocate(std::uint64_t length);
    // As allocate(), for memory that software does not touch: no cache holds it.
    [[nodiscard]] Region reserve(std::uint64_t length);
    // Whether software has just written to buffers attached from now on; true at first.
    void attach_cached(bool cached) { attach_cached_ = cached; }
    // A region that is the caller's buffer, with the same offset in its page. Overlaps are allowed.
    [[nodiscard]] Address attach(std::byte* data, std::uint64_t length);
    // As attach(), for a device that sees the buffer page by page: the addresses of its pages. Each is a region with
    // its part of the buffer, and they are not contiguous [K136].
    [[nodiscard]] std::vector<Address> attach_pages(std::byte* data, std::uint64_t length);
    void remove(Address base);
    void watch(Address base, MemoryWatcher& watcher);
    // This watcher hears of every write.
    void watch_all(MemoryWatcher& watcher) { all_watcher_ = &watcher; }
    // This cache hears of software's writes; software has written to every region that it allocates.
    void cached_by(CpuCache& cache) { cache_ = &cache; }
    void software_wrote(Address address, std::uint64_t length) {
        if (cache_ != nullptr) {
            cache_->software_wrote(address, length);
        }
    }

    [[nodiscard]] std::byte* bytes(Address address, std::uint64_t length) override;
    [[nodiscard]] bool holds(Address address, std::uint64_t length) const override;
    void written(Address address, std::uint64_t length, Picoseconds at) override;
    void report(StatSink& sink) const override;

private:
    // As RegionTable::find(), and remembers the result.
    [[nodiscard]] MappedRegion* find(Address address, std::uint64_t length);

    PageBlocks blocks_;
    RegionTable regions_;
    std::array<MappedRegion*, 16> recent_{};  // recently found, by page
    CpuCache* cache_ = nullptr;
    MemoryWatcher* all_watcher_ = nullptr;
    bool attach_cached_ = true;
    std::uint64_t bytes_written_ = 0;
};

}  // namespace ndsim
