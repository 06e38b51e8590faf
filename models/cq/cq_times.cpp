// SPDX-License-Identifier: Apache-2.0
#include "models/cq/cq_times.hpp"

#include <algorithm>
#include <array>

namespace ndsim {

namespace {

enum State : std::size_t { kIdle, kBusy, kEntries };
constexpr std::array kStates{EngineState{EngineState::kIdle, ""},
                             EngineState{EngineState::kBusy, "time with entries that are not yet on PCIe"},
                             EngineState{"entries", "time with no entries but those whose queue seems full"}};

}  // namespace

CqTimes::CqTimes(Unit& owner, const Timeline& timeline) : timeline_(timeline), times_(owner, {}, kStates) {}

void CqTimes::entry_begins() {
    ++entries_;
    note();
}

void CqTimes::entry_leaves(Picoseconds issued) {
    issued_until_ = std::max(issued_until_, issued);
    entry_dropped();
}

void CqTimes::entry_dropped() {
    --entries_;
    note();
}

void CqTimes::queue_asks() {
    ++asking_;
    note();
}

void CqTimes::queue_knows() {
    --asking_;
    note();
}

void CqTimes::note() {
    if (entries_ > 0) {
        times_.enter(kBusy, timeline_.now());
    } else {
        times_.enter(asking_ > 0 ? kEntries : kIdle, std::max(timeline_.now(), issued_until_));
    }
}

}  // namespace ndsim
