// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/pool_group.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ndsim {

PoolGroup::PoolGroup(std::initializer_list<Pool*> whole, std::span<Pool> parts) : whole_(whole), parts_(parts) {
    for (Pool* const pool : whole_) {
        pool->group_ = this;
    }
    for (Pool& pool : parts_) {
        pool.group_ = this;
    }
}

void PoolGroup::take(std::size_t part, std::uint64_t n, Picoseconds at) {
    for (Pool* const pool : whole_) {
        pool->take(n, at);
    }
    parts_[part].take(n, at);
}

void PoolGroup::give_at(std::size_t part, std::span<const Picoseconds> times) {
    assert(left_ == 0);  // the returns that take effect are still in the ring
    const bool first_changes = returns_.empty() || times.front() < returns_.front().at;
    Picoseconds last = returns_.empty() ? times.front() : returns_.back().at;
    for (const Picoseconds at : times) {
        if (at < last) {
            sort_in({at, part});
        } else {
            returns_.push({at, part});
            last = at;
        }
    }
    if (first_changes) {
        tell_pools();
    }
}

// Those of the same time keep their order.
void PoolGroup::sort_in(const Return& entry) {
    returns_.push(entry);
    for (std::size_t i = returns_.size() - 1; i > 0 && returns_[i - 1].at > entry.at; --i) {
        std::swap(returns_[i], returns_[i - 1]);
    }
}

std::optional<Picoseconds> PoolGroup::next_return(Picoseconds at) {
    if (!returns_.empty() && returns_.front().at <= at) {
        depart(at);
    }
    return returns_.empty() ? std::nullopt : std::optional(returns_.front().at);
}

// In rows of one part, as far as they lie side by side. A waveform written now settles the pools again: that call goes
// on where this one is.
void PoolGroup::depart(Picoseconds until) {
    for (;;) {
        while (left_ > 0) {
            --left_;
            Pool& pool = left_ < whole_.size() ? *whole_[left_] : parts_[row_.front().part];
            if (row_.size() == 1) {
                pool.leave({row_.front().at, 1});
            } else {
                pool.leave_one_by_one(row_, &Return::at);
            }
        }
        if (returns_.empty() || returns_.front().at > until) {
            return;
        }
        row_ = next_row(until);
        returns_.drop(row_.size());  // they stay in place
        left_ = whole_.size() + 1;
        tell_pools();
    }
}

std::span<const PoolGroup::Return> PoolGroup::next_row(Picoseconds until) const {
    const std::span<const Return> ring = returns_.front_run();
    const std::size_t part = ring.front().part;
    if (parts_[part].is_watched() || std::ranges::any_of(whole_, [](const Pool* pool) { return pool->is_watched(); })) {
        return ring.first(1);
    }
    std::size_t count = 1;
    while (count < ring.size() && ring[count].at <= until && ring[count].part == part) {
        ++count;
    }
    return ring.first(count);
}

void PoolGroup::tell_pools() const {
    const Picoseconds next = returns_.empty() ? Pool::kNever : returns_.front().at;
    for (Pool* const pool : whole_) {
        pool->next_.at = next;
    }
    for (Pool& pool : parts_) {
        pool.next_.at = next;
    }
}

}  // namespace ndsim
