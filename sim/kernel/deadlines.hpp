// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "sim/kernel/lane.hpp"

namespace ndsim {

// Deadlines: timers, most of which are cancelled before they are due. A cancelled timer leaves nothing behind, so it
// does not keep an idle simulation running until its time.
class Deadlines final : LaneBase {
public:
    // Identifies a timer for cancel().
    struct Id {
        Picoseconds due{};
        std::uint64_t number = 0;
        friend auto operator<=>(const Id&, const Id&) = default;
    };

    Deadlines(Timeline& timeline, std::uint32_t rank) : LaneBase(timeline, rank) {}

    // Calls `action` at `due`, which is now or later, unless cancelled; those of one time run in the order of setting.
    Id set(Picoseconds due, std::function<void()> action) {
        const Id id{due, ++last_};
        actions_.emplace(id, std::move(action));
        show_first();
        return id;
    }
    // Does nothing if the timer was cancelled or has run.
    void cancel(const Id& id) {
        if (actions_.erase(id) > 0) {
            show_first();
        }
    }
    [[nodiscard]] bool empty() const { return actions_.empty(); }

private:
    void show_first() {
        if (actions_.empty()) {
            nothing_left();
        } else {
            head_is_due(actions_.begin()->first.due);
        }
    }
    void fire() override {
        const std::function<void()> action = std::move(actions_.extract(actions_.begin()).mapped());
        show_first();
        action();
    }

    std::map<Id, std::function<void()>> actions_;
    std::uint64_t last_ = 0;
};

}  // namespace ndsim
