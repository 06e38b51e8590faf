// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/host_buffer.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "models/proto/little_endian.hpp"
#include "sim/base/rng.hpp"

namespace ndsim {

PageMemory::PageMemory(std::uint64_t size) : size_(size) {
    constexpr std::uint64_t kPage = 4096;
    const std::uint64_t whole = std::max(kPage, (size + kPage - 1) / kPage * kPage);
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(kPage, whole)));
    if (data_ == nullptr) {
        throw std::bad_alloc();
    }
    std::fill_n(data_.get(), whole, std::byte{0});
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
