// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/ring.hpp"
#include "sim/kernel/pool.hpp"

namespace ndsim {

// PoolGroup: pools whose entries come back together, so that each time is kept once. An entry is one of each pool in
// `whole` and one of a single pool in `parts`. The group alone returns entries to its pools.
class PoolGroup {
public:
    PoolGroup(std::initializer_list<Pool*> whole, std::span<Pool> parts);
    PoolGroup(const PoolGroup&) = delete;
    PoolGroup& operator=(const PoolGroup&) = delete;

    // Takes `n` entries of a part now; InvariantError if there are fewer.
    void take(std::size_t part, std::uint64_t n, Picoseconds at);
    // An entry of a part will be back at each of these times, which do not decrease.
    void give_at(std::size_t part, std::span<const Picoseconds> times);
    // The earliest return that is known and lies behind `at`.
    [[nodiscard]] std::optional<Picoseconds> next_return(Picoseconds at);

private:
    friend class Pool;

    // An entry that will be back.
    struct Return {
        Picoseconds at{};
        std::size_t part = 0;
    };

    void depart(Picoseconds until);  // returns up to `until` take effect in all pools
    [[nodiscard]] std::span<const Return> next_row(Picoseconds until) const;
    void sort_in(const Return& entry);
    void tell_pools() const;  // of the next return

    std::vector<Pool*> whole_;
    std::span<Pool> parts_;
    Ring<Return> returns_;
    std::span<const Return> row_;  // returns that take effect
    std::size_t left_ = 0;         // pools in which they have not yet
};

}  // namespace ndsim
