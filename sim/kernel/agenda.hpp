// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

#include "sim/kernel/lane.hpp"

namespace ndsim {

// Agenda: a unit's time-ordered queue for work whose delays differ. Items of the same time keep their order of pushing.
// Items are sorted in from the end, since work comes nearly in time order.
template <class Item, auto Handler>
class Agenda final : LaneBase {
    using Owner = typename detail::HandlerOf<decltype(Handler)>::Class;

public:
    Agenda(Owner& owner, Timeline& timeline, std::uint32_t rank, LaneKind kind = LaneKind::work)
        : LaneBase(timeline, rank, kind), owner_(owner) {}

    // `due` is now or later.
    void push(Picoseconds due, const Item& item) { add(due) = item; }
    void push(Picoseconds due, Item&& item) { add(due) = std::move(item); }
    // Adds an item, to be filled: it still has old contents.
    Item& add(Picoseconds due) {
        std::size_t place = entries_.size();
        entries_.add();
        for (; place > 0 && entries_[place - 1].due > due; --place) {
            entries_[place] = std::move(entries_[place - 1]);
        }
        if (place == 0) {
            head_is_due(due);
        }
        entries_[place].due = due;
        return entries_[place].item;
    }

    // Removes all items, and passes each to `dropped`.
    template <class Dropped>
    void clear(Dropped&& dropped) {
        while (!entries_.empty()) {
            dropped(entries_.pop().item);
        }
        nothing_left();
    }

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    // When the first item is due; there must be one.
    [[nodiscard]] Picoseconds next_due() const { return entries_.front().due; }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }

private:
    // An item and its time.
    struct Entry {
        Picoseconds due{};
        Item item{};
    };

    void fire() override {
        Entry entry = entries_.pop();
        if (!entries_.empty()) {
            head_is_due(entries_.front().due);
        }
        (owner_.*Handler)(entry.item);
    }

    Owner& owner_;
    Ring<Entry> entries_;
};

}  // namespace ndsim
