// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "sim/kernel/lane.hpp"

namespace ndsim {

// Deadlines: timers of which most are cancelled before they are due. A cancelled one leaves nothing behind, so a
// simulation that has nothing else to do does not go on to its time.
class Deadlines final : LaneBase {
public:
    struct Id {
        Picoseconds due{};
        std::uint64_t number = 0;
        friend auto operator<=>(const Id&, const Id&) = default;
    };

    Deadlines(Timeline& timeline, std::uint32_t rank) : LaneBase(timeline, rank) {}

    // Does `action` at `due`, which is now or later, unless it is cancelled; those of one time in the order of setting.
    Id set(Picoseconds due, std::function<void()> action) {
        const Id id{due, ++last_};
        actions_.emplace(id, std::move(action));
        show_first();
        return id;
    }
    // Nothing happens if it was cancelled or done already.
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
