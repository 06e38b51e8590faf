// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <vector>

#include "sim/base/ring.hpp"
#include "sim/kernel/run_control.hpp"
#include "sim/kernel/sc_time.hpp"

namespace ndsim {

class LaneBase;

// The items of a lane: work, or times at which refused requests are tried again.
enum class LaneKind : std::uint8_t { work, retries };

// Timeline: the work list of a simulation. The lanes of all units hold their work and its times. The timeline keeps at
// most one pending kernel event, for the earliest lane, and works on by itself up to the next time at which a thread
// runs. Work of the same picosecond is done in the order of the lanes' ranks, so the kernel's own order never shows.
// One sorted array holds the lanes with work, which are few: it fits in a few cache lines.
class Timeline final : public sc_core::sc_module {
public:
    Timeline(const sc_core::sc_module_name& name, RunControl& control);

    // The simulated time, even while the timeline works ahead of the kernel's clock, and afterwards.
    [[nodiscard]] Picoseconds now() const { return running_ ? now_ : std::max(now_, kernel_now()); }
    // Kernel activations and work items so far: what a run costs.
    [[nodiscard]] std::uint64_t activations() const { return activations_; }
    [[nodiscard]] std::uint64_t items() const { return items_; }
    // Wakes a thread of the kernel at `at`, now or later. During work only this function may notify kernel events.
    void notify(sc_core::sc_event& event, Picoseconds at);
    // Wakes a thread now, but behind threads woken by this function at this time that have not called rests(). So the
    // kernel has no choice about their order.
    void hand_over(sc_core::sc_event& thread);
    // The running thread has nothing more to do at this time: it is about to wait, or to end.
    void rests();
    // The item under way is a retry in an endless row. If only other retries are left to do, the run control is told.
    void retries_for_ever();

private:
    friend class LaneBase;

    static constexpr Picoseconds kNever = RunControl::kNoLimit;
    static constexpr Picoseconds kPassed{-1};

    // A lane with work, and the time of its first item. `place` decides between two lanes due at the same time: it is
    // the lane's rank and, in its lower 32 bits, the lane's index in lanes_.
    struct Due {
        Picoseconds at{};
        std::uint64_t place = 0;
        friend bool operator<(const Due& a, const Due& b) { return a.at < b.at || (a.at == b.at && a.place < b.place); }
    };

    void run();  // SC_METHOD: the earliest lane is due
    void enlist(LaneBase& lane);
    void delist(LaneBase& lane);
    void make_room();                              // for the dues of all lanes
    void change(LaneBase& lane, Picoseconds due);  // from its due time to this one
    void insert(Due due);
    void remove(const Due& due);
    void move_to_front();
    [[nodiscard]] Picoseconds next_due() const { return next_->at; }
    void arm();

    RunControl& control_;
    std::vector<LaneBase*> lanes_;  // in the order of their making; null for one that is gone
    // Sorted, from next_ to dues_end_. The entry before them is due before all times, the one behind them never.
    std::vector<Due> dues_{Due{kPassed}, Due{kNever}};
    Due* next_ = &dues_[1];
    Due* dues_end_ = &dues_[1];
    Due* last_ = &dues_[1];  // place
    sc_core::sc_event due_;
    Picoseconds kernel_next_{};  // while running: next time with work for a thread
    Picoseconds armed_for_ = kNever;
    Picoseconds now_{};
    bool running_ = false;              // or stopped at the limit of time, which the kernel may have passed
    Ring<sc_core::sc_event*> threads_;  // threads woken for now; the first one runs
    std::uint64_t activations_ = 0;
    std::uint64_t items_ = 0;
    std::uint64_t items_at_now_ = 0;
};

// A lane as the timeline knows it: when its first item is due, and how to execute it.
class LaneBase {
public:
    LaneBase(const LaneBase&) = delete;
    LaneBase& operator=(const LaneBase&) = delete;
    virtual ~LaneBase() { timeline_.delist(*this); }

protected:
    // `rank` orders lanes at the same picosecond along the path of the data, sources first.
    LaneBase(Timeline& timeline, std::uint32_t rank, LaneKind kind = LaneKind::work)
        : timeline_(timeline), rank_(rank), kind_(kind) {
        timeline_.enlist(*this);
    }

    // Call whenever the due time of the first item changes. The item that fire() executes has left the timeline, which
    // then knows of none, until it is told of the one behind.
    void head_is_due(Picoseconds due) { timeline_.change(*this, due); }
    void nothing_left() { head_is_due(Timeline::kNever); }
    [[nodiscard]] Timeline& timeline() const { return timeline_; }
    [[noreturn]] void refuse_overtaking(const char* owner, Picoseconds due) const;

private:
    friend class Timeline;

    virtual void fire() = 0;

    Timeline& timeline_;
    const std::uint32_t rank_;
    const LaneKind kind_;
    Picoseconds due_ = Timeline::kNever;
    std::uint64_t place_ = 0;  // see Timeline::Due
};

inline void Timeline::change(LaneBase& lane, Picoseconds due) {
    if (lane.due_ != kNever) {
        remove({lane.due_, lane.place_});
    }
    lane.due_ = due;
    if (due != kNever) {
        insert({due, lane.place_});
    }
    if (!running_) {
        arm();
    }
}

}  // namespace ndsim
