// SPDX-License-Identifier: Apache-2.0
#include "sim/base/page_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace ndsim {

std::uint64_t PageMemory::whole_pages(std::uint64_t size) {
    constexpr std::uint64_t kPage = 4096;
    return std::max(kPage, (size + kPage - 1) / kPage * kPage);
}

PageMemory::PageMemory(std::uint64_t size) : data_(nullptr, Unmap{size}) {
    void* const mapped =
        ::mmap(nullptr, whole_pages(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) {
        throw std::bad_alloc();
    }
    data_.reset(static_cast<std::byte*>(mapped));
}

void PageMemory::Unmap::operator()(std::byte* data) const {
    ::munmap(data, whole_pages(size));
}

}  // namespace ndsim
