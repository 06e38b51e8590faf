// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <vector>

#include "sim/base/ring.hpp"
#include "sim/kernel/run_control.hpp"
#include "sim/kernel/time.hpp"

namespace ndsim {

class LaneBase;

// What the items of a lane are: work, or the times at which what was refused is tried again.
enum class LaneKind : std::uint8_t { work, retries };

// Timeline: the work list of a simulation. The lanes of all units hold what is due and when; it keeps at most one
// pending kernel event, for the earliest of them, and goes on by itself up to the next moment at which a thread runs.
// Work of the same picosecond is done in the order of the lanes' ranks, so the kernel's own order never shows. Which
// lane is next is kept in one sorted array of those that have work, which are few: it fits in a few cache lines.
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
    // Wakes a thread now, but behind those that were woken so at this time and have not said that they rest. So the
    // kernel has no choice in which order it lets them run.
    void hand_over(sc_core::sc_event& thread);
    // The thread that runs has nothing more to do at this time: it is about to wait, or to end.
    void rests();
    // The item that is being worked off is a retry, one of a row without end. If nothing else is left to do but other
    // retries, the run control hears of it.
    void retries_for_ever();

private:
    friend class LaneBase;

    static constexpr Picoseconds kNever = RunControl::kNoLimit;

    // A lane with work, and when the first of it is due. `place` is that in lanes_, so it says which of two lanes that
    // are due at the same time comes first.
    struct Due {
        Picoseconds at{};
        std::uint32_t place = 0;
        friend bool operator<(const Due& a, const Due& b) { return a.at < b.at || (a.at == b.at && a.place < b.place); }
    };

    void run();  // SC_METHOD: the earliest lane is due
    void enlist(LaneBase& lane);
    void delist(LaneBase& lane);
    void number_lanes();
    void change(LaneBase& lane, Picoseconds due);  // from its due time to this one
    void insert(Due due);
    void remove(const Due& due);
    void move_to_front();
    [[nodiscard]] Picoseconds next_due() const { return dues_[next_].at; }
    void arm();

    RunControl& control_;
    std::vector<LaneBase*> lanes_;        // in the order of their ranks
    std::vector<Due> dues_{Due{kNever}};  // sorted, from next_ to dues_end_; behind it stands one that is due never
    std::size_t next_ = 0;
    std::size_t dues_end_ = 0;
    sc_core::sc_event due_;
    Picoseconds kernel_next_{};  // while running: when a thread has something to do
    Picoseconds armed_for_ = kNever;
    Picoseconds now_{};
    bool running_ = false;
    Ring<sc_core::sc_event*> threads_;  // that were woken for now; the first one runs
    std::uint64_t activations_ = 0;
    std::uint64_t items_ = 0;
    std::uint64_t items_at_now_ = 0;
};

// What a timeline knows of a lane: when its first item is due, and how to do it.
class LaneBase {
public:
    LaneBase(const LaneBase&) = delete;
    LaneBase& operator=(const LaneBase&) = delete;
    virtual ~LaneBase() { timeline_.delist(*this); }

protected:
    // `rank` orders lanes at the same picosecond: along the path of the data, sources first.
    LaneBase(Timeline& timeline, std::uint32_t rank, LaneKind kind = LaneKind::work)
        : timeline_(timeline), rank_(rank), kind_(kind) {
        timeline_.enlist(*this);
    }

    // When the first item is due, whenever that changes; inside fire(), the one behind the item that is handled.
    void head_is_due(Picoseconds due) { timeline_.change(*this, due); }
    void nothing_left() { head_is_due(Timeline::kNever); }
    [[nodiscard]] Timeline& timeline() const { return timeline_; }

private:
    friend class Timeline;

    virtual void fire() = 0;

    Timeline& timeline_;
    const std::uint32_t rank_;
    const LaneKind kind_;
    Picoseconds due_ = Timeline::kNever;
    std::uint32_t place_ = 0;  // among the lanes of the timeline
};

}  // namespace ndsim
