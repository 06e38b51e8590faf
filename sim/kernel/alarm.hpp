// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/kernel/timeline.hpp"

namespace ndsim {

namespace detail {
template <class Handler>
struct OwnerOf;
template <class Owner>
struct OwnerOf<void (Owner::*)()> {
    using Class = Owner;
};
}  // namespace detail

// Alarm: a deadline of a unit, which may be moved or dropped at any time; a dropped alarm leaves nothing behind.
// `Handler` is the owner's member function called at that time: Alarm<&CompletionEngine::due>.
template <auto Handler>
class Alarm final : LaneBase {
    using Owner = typename detail::OwnerOf<decltype(Handler)>::Class;

public:
    Alarm(Owner& owner, Timeline& timeline, std::uint32_t rank) : LaneBase(timeline, rank), owner_(owner) {}

    // `due` is now or later; it replaces the time set before.
    void set(Picoseconds due) {
        if (set_for_ != due) {
            set_for_ = due;
            head_is_due(due);
        }
    }
    void drop() {
        if (set_for_) {
            set_for_.reset();
            nothing_left();
        }
    }
    [[nodiscard]] std::optional<Picoseconds> due() const { return set_for_; }

private:
    void fire() override {
        set_for_.reset();
        (owner_.*Handler)();
    }

    Owner& owner_;
    std::optional<Picoseconds> set_for_;
};

}  // namespace ndsim
