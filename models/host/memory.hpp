// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "models/ports/memory.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Who wants to know that a device has written to a region: a core that spins on it.
class MemoryWatcher {
public:
    virtual void memory_written(Address address, std::uint64_t length, Picoseconds at) = 0;

protected:
    ~MemoryWatcher() = default;
};

// HostMemory: the address space of one host. It consists of regions, each with pages of its own or with a buffer of
// the program that registered it; addresses are the same on every run, whatever the program's pointers are.
class HostMemory final : public Unit, public MemoryPort {
public:
    static constexpr std::uint64_t kPage = 4096;

    sc_core::sc_export<MemoryPort> port{"port"};

    HostMemory(const sc_core::sc_module_name& name, Timeline& timeline);

    struct Region {
        Address base{};
        std::byte* data = nullptr;
        std::uint64_t length = 0;
    };
    // A region in pages of its own, all zero; what is never touched costs next to nothing.
    [[nodiscard]] Region allocate(std::uint64_t length);
    // The same for memory that software does not touch: no cache has it.
    [[nodiscard]] Region reserve(std::uint64_t length);
    // Whether software has just written to the buffers that are attached from now on; at first it has.
    void attach_cached(bool cached) { attach_cached_ = cached; }
    // A region that is the caller's buffer, with the same offset in its page. Overlaps are allowed.
    [[nodiscard]] Address attach(std::byte* data, std::uint64_t length);
    // The same for a device that sees the buffer page by page: the addresses of its pages, each a region of its own
    // with what the buffer has of it. They do not follow each other [K136].
    [[nodiscard]] std::vector<Address> attach_pages(std::byte* data, std::uint64_t length);
    void remove(Address base);
    void watch(Address base, MemoryWatcher& watcher);
    // Besides those, one who hears of every write.
    void watch_all(MemoryWatcher& watcher) { all_watcher_ = &watcher; }
    // The cache that hears of what software writes; it has written to whatever it allocates.
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
    struct Free {
        void operator()(std::byte* data) const;
    };
    struct Mapped {
        Region region;
        std::unique_ptr<std::byte, Free> own;
        MemoryWatcher* watcher = nullptr;

        [[nodiscard]] bool holds(Address address, std::uint64_t length) const;
    };

    Mapped& map(std::byte* data, std::uint64_t length, std::uint64_t page_offset);
    // The region in which all of this is, or nullptr; `find` remembers what it found.
    [[nodiscard]] Mapped* search(Address address, std::uint64_t length) const;
    [[nodiscard]] Mapped* find(Address address, std::uint64_t length);

    std::vector<std::unique_ptr<Mapped>> regions_;  // by address
    std::array<Mapped*, 16> recent_{};              // found last, by page
    CpuCache* cache_ = nullptr;
    MemoryWatcher* all_watcher_ = nullptr;
    bool attach_cached_ = true;
    Address next_{0x1000'0000};
    std::uint64_t bytes_written_ = 0;
};

}  // namespace ndsim
