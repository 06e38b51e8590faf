// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/kernel/lane.hpp"

namespace ndsim {

// Agenda: a unit's time-ordered queue for work whose delays differ. Items of the same time keep the order in which
// they were pushed. Costs a heap operation an item; where all delays are equal, a Lane is cheaper.
template <class Item, auto Handler>
class Agenda final : LaneBase {
    using Owner = typename detail::HandlerOf<decltype(Handler)>::Class;

public:
    Agenda(Owner& owner, Timeline& timeline, std::uint32_t rank) : LaneBase(timeline, rank), owner_(owner) {}

    // `due` is now or later.
    void push(Picoseconds due, Item item) {
        entries_.push_back({due, pushed_++, std::move(item)});
        std::push_heap(entries_.begin(), entries_.end(), later);
        if (entries_.front().number == pushed_ - 1) {
            head_is_due(due);
        }
    }

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }

private:
    struct Entry {
        Picoseconds due{};
        std::uint64_t number = 0;
        Item item{};
    };

    static bool later(const Entry& a, const Entry& b) { return a.due != b.due ? a.due > b.due : a.number > b.number; }

    void fire() override {
        std::pop_heap(entries_.begin(), entries_.end(), later);
        Entry entry = std::move(entries_.back());
        entries_.pop_back();
        if (entries_.empty()) {
            nothing_left();
        } else {
            next_is_due(entries_.front().due);
        }
        (owner_.*Handler)(entry.item);
    }

    Owner& owner_;
    std::vector<Entry> entries_;
    std::uint64_t pushed_ = 0;
};

}  // namespace ndsim
