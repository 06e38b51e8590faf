// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "models/parts/ranks.hpp"
#include "sim/base/ids.hpp"
#include "sim/kernel/lane.hpp"

namespace ndsim {

// QueueDeadlines: how long queues may wait, earliest first. Each queue has at most one deadline. `Handler` is the
// owner's member function that gets each queue whose time has come.
template <auto Handler>
class QueueDeadlines final : LaneBase {
    using Owner = typename detail::HandlerOf<decltype(Handler)>::Class;

public:
    QueueDeadlines(Owner& owner, Timeline& timeline) : LaneBase(timeline, kRankTransport), owner_(owner) {}

    void set(CqNum cq, Picoseconds due) {
        remove(cq);
        const Entry entry{due, cq};
        entries_.insert(std::upper_bound(entries_.begin(), entries_.end(), entry), entry);
        show_first();
    }
    void drop(CqNum cq) {
        remove(cq);
        show_first();
    }
    // No queue waits any longer.
    void end_all() { end_until(Picoseconds::max()); }

private:
    using Entry = std::pair<Picoseconds, CqNum>;

    void remove(CqNum cq) {
        std::erase_if(entries_, [cq](const Entry& entry) { return entry.second == cq; });
    }
    void show_first() {
        const auto first = entries_.empty() ? std::nullopt : std::optional(entries_.front().first);
        if (first != shown_) {
            shown_ = first;
            first ? head_is_due(*first) : nothing_left();
        }
    }
    void end_until(Picoseconds time) {
        while (!entries_.empty() && entries_.front().first <= time) {
            const CqNum cq = entries_.front().second;
            entries_.erase(entries_.begin());
            (owner_.*Handler)(cq);
        }
        show_first();
    }
    void fire() override {
        shown_.reset();
        end_until(timeline().now());
    }

    Owner& owner_;
    std::vector<Entry> entries_;
    std::optional<Picoseconds> shown_;
};

}  // namespace ndsim
