// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/host_buffer.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <new>

#include "models/proto/little_endian.hpp"
#include "sim/base/rng.hpp"

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

void fill_memory(const PageMemory& memory, std::string_view name, const BufferContent& content) {
    const std::uint64_t size = memory.size();
    Rng random(content.seed, name);
    for (std::uint64_t at = 0; at < size && content.fill != Fill::zero; at += 4) {
        std::array<std::byte, 4> word{};
        store_le(word.data(), static_cast<std::uint32_t>(content.fill == Fill::counter ? at / 4 : random.next()));
        std::copy_n(word.begin(), std::min<std::uint64_t>(4, size - at), memory.data() + at);
    }
}

}  // namespace ndsim
