// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/kernel/engine_times.hpp"
#include "sim/kernel/timeline.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// CqTimes: the time of the completion engine. It is busy from a completion until its entry has left onto PCIe, and
// blocked while all completions belong to queues that seem full.
class CqTimes {
public:
    CqTimes(Unit& owner, const Timeline& timeline);

    void entry_begins();
    void entry_leaves(Picoseconds issued);
    void entry_dropped();
    // A queue that seems full asks the host; it has the answer, or needs none any more.
    void queue_asks();
    void queue_knows();

    [[nodiscard]] bool any_queue_asks() const { return asking_ > 0; }

private:
    void note();

    const Timeline& timeline_;
    EngineTimes times_;
    std::uint32_t entries_ = 0;  // begun, but their leaving time is unknown
    std::uint32_t asking_ = 0;   // queues that ask the host
    Picoseconds issued_until_{};
};

}  // namespace ndsim
