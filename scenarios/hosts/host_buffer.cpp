// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/host_buffer.hpp"

#include <algorithm>
#include <array>

#include "sim/base/little_endian.hpp"
#include "sim/base/rng.hpp"

namespace ndsim {

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
