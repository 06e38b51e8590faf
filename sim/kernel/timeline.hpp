// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <vector>

#include "sim/kernel/run_control.hpp"
#include "sim/kernel/time.hpp"

namespace ndsim {

class LaneBase;

// Timeline: the work list of a simulation. The lanes of all units hold what is due and when; it keeps at most one
// pending kernel event, for the earliest of them, and goes on by itself up to the next moment at which a thread runs.
// Work of the same picosecond is done in the order of the lanes' ranks, so the kernel's own order never shows.
class Timeline final : public sc_core::sc_module {
public:
    Timeline(const sc_core::sc_module_name& name, RunControl& control);

    // The simulated time, also while the timeline works ahead of the kernel's clock, and after it has.
    [[nodiscard]] Picoseconds now() const { return running_ ? now_ : std::max(now_, kernel_now()); }
    // Kernel activations and work items so far: what a run costs.
    [[nodiscard]] std::uint64_t activations() const { return activations_; }
    [[nodiscard]] std::uint64_t items() const { return items_; }
    // Wakes a thread of the kernel at `at`, now or later. While work is done nobody else may notify kernel events.
    void notify(sc_core::sc_event& event, Picoseconds at);

private:
    friend class LaneBase;

    // What the heap orders: the due time above, the lane's order below, compared without a branch.
    __extension__ using Key = unsigned __int128;
    struct Entry {
        Key key = 0;
        LaneBase* lane = nullptr;

        [[nodiscard]] Picoseconds due() const { return Picoseconds{static_cast<std::int64_t>(key >> 64U)}; }
    };

    void run();  // SC_METHOD: the earliest lane is due
    void enlist(const Entry& entry);
    void delist_top();
    void raise(const Entry& entry);  // its due time became earlier
    void arm();
    void place(std::size_t at, const Entry& entry);
    void sift_up(std::size_t at, const Entry& entry);
    void replace_top(const Entry& entry);

    RunControl& control_;
    std::vector<Entry> heap_;  // lanes with work, the earliest first
    sc_core::sc_event due_;
    Picoseconds kernel_next_{};  // while running: when a thread has something to do
    Picoseconds armed_for_ = RunControl::kNoLimit;
    Picoseconds now_{};
    bool running_ = false;
    std::uint64_t activations_ = 0;
    std::uint64_t items_ = 0;
    std::uint64_t items_at_now_ = 0;
    std::uint32_t lanes_ = 0;
};

// What a timeline knows of a lane: when its first item is due, and how to do it.
class LaneBase {
public:
    LaneBase(const LaneBase&) = delete;
    LaneBase& operator=(const LaneBase&) = delete;
    virtual ~LaneBase() = default;

protected:
    // `rank` orders lanes at the same picosecond: along the path of the data, sources first.
    LaneBase(Timeline& timeline, std::uint32_t rank);

    // The first item of an empty lane, or one earlier than the first so far.
    void head_is_due(Picoseconds due);
    // Inside fire(), before the item is handled: what comes next.
    void next_is_due(Picoseconds due);
    void nothing_left();
    [[nodiscard]] Timeline& timeline() const { return timeline_; }

private:
    friend class Timeline;
    static constexpr std::size_t kNowhere = SIZE_MAX;

    virtual void fire() = 0;
    [[nodiscard]] Timeline::Entry entry(Picoseconds due) {
        return {static_cast<Timeline::Key>(due.count()) << 64U | order_, this};
    }

    Timeline& timeline_;
    const std::uint64_t order_;
    std::size_t heap_at_ = kNowhere;
};

}  // namespace ndsim
