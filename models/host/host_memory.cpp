// SPDX-License-Identifier: Apache-2.0
#include "models/host/host_memory.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace ndsim {

namespace {

// Whether a region of this length is made of pages of the operating system.
bool has_pages(std::uint64_t length) {
    return length >= 2 * HostMemory::kPage;
}

}  // namespace

HostMemory::HostMemory(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline) {
    port.bind(*this);
}

HostMemory::Region HostMemory::allocate(std::uint64_t length) {
    const Region region = reserve(length);
    software_wrote(region.base, length);
    return region;
}

HostMemory::Region HostMemory::reserve(std::uint64_t length) {
    // A large ring costs the pages that are used of it. The rest of a last page is in no region, so a small one needs
    // no memory for it.
    std::shared_ptr<std::byte[]> bytes =
        has_pages(length) ? blocks_.take(length) : std::make_shared<std::byte[]>(length);
    MappedRegion& mapped = regions_.add(bytes.get(), length, 0);
    mapped.own = std::move(bytes);
    return mapped.region;
}

Address HostMemory::attach(std::byte* data, std::uint64_t length) {
    const Address base = regions_.add(data, length, reinterpret_cast<std::uintptr_t>(data) % kPage).region.base;
    if (attach_cached_) {
        software_wrote(base, length);
    }
    return base;
}

std::vector<Address> HostMemory::attach_pages(std::byte* data, std::uint64_t length) {
    std::vector<Address> pages;
    std::uint64_t in_page = reinterpret_cast<std::uintptr_t>(data) % kPage;
    while (length > 0) {
        const std::uint64_t bytes = std::min(length, kPage - in_page);
        const Address base = regions_.add(data, bytes, in_page).region.base;
        software_wrote(base, bytes);
        pages.push_back(Address{raw(base) - in_page});
        data += bytes;
        length -= bytes;
        in_page = 0;
    }
    return pages;
}

void HostMemory::remove(Address base) {
    recent_ = {};
    const MappedRegion* const mapped = regions_.find(base, 0);
    if (mapped != nullptr && mapped->region.base == base) {
        if (mapped->own != nullptr && has_pages(mapped->region.length)) {
            PageBlocks::drop(mapped->region.data, mapped->region.length);
        }
        regions_.remove(*mapped);
    }
}

void HostMemory::watch(Address base, MemoryWatcher& watcher) {
    if (MappedRegion* const mapped = find(base, 0)) {
        mapped->watcher = &watcher;
    }
}

MappedRegion* HostMemory::find(Address address, std::uint64_t length) {
    MappedRegion*& recent = recent_[raw(address) / kPage % recent_.size()];
    if (recent != nullptr && recent->region.holds(address, length)) {
        return recent;
    }
    MappedRegion* const found = regions_.find(address, length);
    recent = found != nullptr ? found : recent;
    return found;
}

bool HostMemory::holds(Address address, std::uint64_t length) const {
    return regions_.find(address, length) != nullptr;
}

std::byte* HostMemory::bytes(Address address, std::uint64_t length) {
    const MappedRegion* const mapped = find(address, length);
    return mapped == nullptr ? nullptr : mapped->region.data + (raw(address) - raw(mapped->region.base));
}

void HostMemory::written(Address address, std::uint64_t length, Picoseconds at) {
    bytes_written_ += length;
    const MappedRegion* const mapped = find(address, length);
    if (mapped != nullptr && mapped->watcher != nullptr) {
        mapped->watcher->memory_written(address, length, at);
    }
    if (all_watcher_ != nullptr) {
        all_watcher_->memory_written(address, length, at);
    }
}

void HostMemory::report(StatSink& sink) const {
    sink.add("bytes_written", bytes_written_, StatUnit::bytes, "written by the NIC");
}

}  // namespace ndsim
