// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

#include "sim/kernel/lane.hpp"

namespace ndsim {

// Agenda: a unit's time-ordered queue for work whose delays differ. Items of the same time keep their order of pushing.
// Items are sorted in from the nearer end: most come last in time, and a few before a long row that waits.
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
        if (!entries_.empty() && due < entries_.back().due) {
            return sort_in(due);
        }
        Entry& entry = entries_.add();
        entry.due = due;
        if (entries_.size() == 1) {
            head_is_due(due);
        }
        return entry.item;
    }

    // Removes all items, and passes each to `dropped`.
    template <class Dropped>
    void clear(Dropped&& dropped) {
        while (!entries_.empty()) {
            dropped(entries_.pop().item);
        }
        nothing_left();
    }

    // Removes the items for which this holds.
    template <class Predicate>
    void drop_if(const Predicate& is_dropped) {
        const std::size_t all = entries_.size();
        for (std::size_t i = 0; i < all; ++i) {
            Entry entry = entries_.pop();
            if (!is_dropped(entry.item)) {
                entries_.add() = std::move(entry);
            }
        }
        if (!entries_.empty()) {
            head_is_due(entries_.front().due);
        } else if (all > 0) {
            nothing_left();
        }
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

    // Before the last item, which is later.
    Item& sort_in(Picoseconds due) {
        std::size_t place = 0;
        if (due < entries_[entries_.size() / 2].due) {
            entries_.add_front();
            for (; entries_[place + 1].due <= due; ++place) {
                entries_[place] = std::move(entries_[place + 1]);
            }
        } else {
            place = entries_.size();
            entries_.add();
            for (; entries_[place - 1].due > due; --place) {
                entries_[place] = std::move(entries_[place - 1]);
            }
        }
        if (place == 0) {
            head_is_due(due);
        }
        entries_[place].due = due;
        return entries_[place].item;
    }

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
