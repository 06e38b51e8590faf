// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "sim/base/ring.hpp"
#include "sim/kernel/timeline.hpp"

namespace ndsim {

namespace detail {
template <class Handler>
struct HandlerOf;
template <class Owner, class Argument>
struct HandlerOf<void (Owner::*)(Argument)> {
    using Class = Owner;
};
}  // namespace detail

// Lane: work that leaves a stage in order of arrival, because every item takes the same time there. `Handler` is the
// owner's member function that gets each item when it is due: Lane<Packet, &Ingress::arrive>.
template <class Item, auto Handler>
class Lane final : LaneBase {
    using Owner = typename detail::HandlerOf<decltype(Handler)>::Class;

public:
    Lane(Owner& owner, Timeline& timeline, std::uint32_t rank) : LaneBase(timeline, rank), owner_(owner) {}

    // `due` is now or later, and never before the due time of an earlier item (InvariantError).
    void push(Picoseconds due, const Item& item) {
        add(due).item = item;
        show_first(due);
    }
    void push(Picoseconds due, Item&& item) {
        add(due).item = std::move(item);
        show_first(due);
    }

    [[nodiscard]] bool empty() const { return items_.empty(); }

private:
    // An item and its time.
    struct Entry {
        Picoseconds due{};
        Item item{};
    };

    Entry& add(Picoseconds due) {
        if (due < latest_) [[unlikely]] {
            refuse_overtaking(owner_.name(), due);
        }
        latest_ = due;
        Entry& entry = items_.add();
        entry.due = due;
        return entry;
    }
    void show_first(Picoseconds due) {
        if (items_.size() == 1) {
            head_is_due(due);
        }
    }

    void fire() override {
        Entry entry = items_.pop();
        if (!items_.empty()) {
            head_is_due(items_.front().due);
        }
        (owner_.*Handler)(entry.item);
    }

    Owner& owner_;
    Ring<Entry> items_;
    Picoseconds latest_{};
};

}  // namespace ndsim
