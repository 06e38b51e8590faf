// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/ids.hpp"
#include "sim/base/units.hpp"

namespace ndsim {

// QueueDeadlines: how long queues may wait, earliest first. Each queue has at most one deadline.
class QueueDeadlines {
public:
    void set(CqNum cq, Picoseconds due) {
        drop(cq);
        const Entry entry{due, cq};
        entries_.insert(std::upper_bound(entries_.begin(), entries_.end(), entry), entry);
    }
    void drop(CqNum cq) {
        std::erase_if(entries_, [cq](const Entry& entry) { return entry.second == cq; });
    }
    [[nodiscard]] std::optional<Picoseconds> first() const {
        return entries_.empty() ? std::nullopt : std::optional(entries_.front().first);
    }
    // Removes a queue whose time has come.
    [[nodiscard]] std::optional<CqNum> take_due(Picoseconds now) {
        if (entries_.empty() || entries_.front().first > now) {
            return std::nullopt;
        }
        const CqNum cq = entries_.front().second;
        entries_.erase(entries_.begin());
        return cq;
    }

private:
    using Entry = std::pair<Picoseconds, CqNum>;
    std::vector<Entry> entries_;
};

}  // namespace ndsim
