// SPDX-License-Identifier: Apache-2.0
#include "sim/base/page_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace ndsim {

PageMemory::PageMemory(std::uint64_t size) : size_(size), data_(nullptr, Unmap{}) {
    constexpr std::uint64_t kPage = 4096;
    const std::uint64_t whole = std::max(kPage, (size + kPage - 1) / kPage * kPage);
    void* const mapped =
        ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) {
        throw std::bad_alloc();
    }
    data_ = std::unique_ptr<std::byte, Unmap>(static_cast<std::byte*>(mapped), Unmap{whole});
}

void PageMemory::Unmap::operator()(std::byte* data) const {
    ::munmap(data, mapped);
}

}  // namespace ndsim
