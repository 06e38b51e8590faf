// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ndsim {

// Apart from take_slot(), which is inlined then.
template <class Slots>
[[gnu::noinline]] std::uint32_t add_slot(Slots& slots) {
    slots.emplace_back();
    return static_cast<std::uint32_t>(slots.size() - 1);
}

// Returns a slot of a pool that grows when none is free. The slot keeps its old contents, so that storage is used
// again. The pool is a vector, or a deque if references to slots must outlive its growth.
template <class Slots>
[[nodiscard]] std::uint32_t take_slot(Slots& slots, std::vector<std::uint32_t>& free) {
    if (free.empty()) [[unlikely]] {
        return add_slot(slots);
    }
    const std::uint32_t slot = free.back();
    free.pop_back();
    return slot;
}

// Apart from grown(), which is inlined then.
template <class Table>
[[gnu::noinline]] void grow(Table& table, std::size_t size) {
    table.resize(size);
}

// Returns the entry with this number, in a table that grows when the number is new.
template <class Table>
[[nodiscard]] typename Table::reference grown(Table& table, std::size_t number) {
    if (table.size() <= number) [[unlikely]] {
        grow(table, number + 1);
    }
    return table[number];
}

}  // namespace ndsim
