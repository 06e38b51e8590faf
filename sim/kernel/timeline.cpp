// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/timeline.hpp"

#include <algorithm>
#include <string>

#include "sim/base/error.hpp"

namespace ndsim {

namespace {

// More work than any node has at one picosecond: whoever gets here feeds itself without time going on.
constexpr std::uint64_t kMostAtOnce = 50'000'000;

// When the kernel has something else to do, or for ever if it has not.
Picoseconds next_kernel_activity() {
    // What is due now is at distance 0; with nothing pending the distance reaches the end of the kernel's time.
    const auto now = static_cast<std::uint64_t>(kernel_now().count());
    const std::uint64_t at = now + sc_core::sc_time_to_pending_activity().value();
    return at > INT64_MAX ? RunControl::kNoLimit : Picoseconds{static_cast<std::int64_t>(at)};
}

}  // namespace

Timeline::Timeline(const sc_core::sc_module_name& name, RunControl& control) : sc_module(name), control_(control) {
    SC_HAS_PROCESS(Timeline);
    SC_METHOD(run);
    sensitive << due_;
    dont_initialize();
}

void Timeline::run() {
    now_ = std::max(now_, kernel_now());
    armed_for_ = RunControl::kNoLimit;
    ++activations_;
    running_ = true;
    while (!heap_.empty()) {
        const Picoseconds next = heap_.front()->due_;
        // Nothing else happens before `next`: going there by ourselves is what the kernel would do, without its cost.
        if (next > now_ && next >= next_kernel_activity()) {
            break;
        }
        if (next < now_) {
            throw InvariantError(name(), now_, "work is due at " + std::to_string(next.count()) + " ps, in the past");
        }
        if (!control_.go_on(next)) {
            if (control_.first_to_stop_kernel()) {
                sc_core::sc_stop();
            }
            running_ = false;
            return;
        }
        items_at_now_ = next == now_ ? items_at_now_ + 1 : 0;
        if (items_at_now_ > kMostAtOnce) {
            throw InvariantError(name(), now_, "time stands still: " + std::to_string(kMostAtOnce) + " items at once");
        }
        now_ = next;
        ++items_;
        heap_.front()->fire();
    }
    running_ = false;
    arm();
}

void Timeline::arm() {
    if (heap_.empty() || heap_.front()->due_ >= armed_for_ || control_.stopped()) {
        return;
    }
    armed_for_ = heap_.front()->due_;
    const Picoseconds kernel = kernel_now();
    due_.notify(armed_for_ > kernel ? to_sc(armed_for_ - kernel) : sc_core::SC_ZERO_TIME);
}

void Timeline::enlist(LaneBase& lane) {
    heap_.push_back(&lane);
    lane.heap_at_ = heap_.size() - 1;
    raise(lane);
}

void Timeline::raise(LaneBase& lane) {
    sift_up(lane.heap_at_);
    if (!running_) {
        arm();
    }
}

void Timeline::delist_top() {
    heap_.front()->heap_at_ = LaneBase::kNowhere;
    LaneBase* const last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) {
        place(0, *last);
        sift_down(0);
    }
}

void Timeline::sink_top() {
    sift_down(0);
}

void Timeline::place(std::size_t at, LaneBase& lane) {
    heap_[at] = &lane;
    lane.heap_at_ = at;
}

void Timeline::sift_up(std::size_t at) {
    LaneBase& lane = *heap_[at];
    while (at > 0) {
        const std::size_t parent = (at - 1) / 2;
        if (!lane.before(*heap_[parent])) {
            break;
        }
        place(at, *heap_[parent]);
        at = parent;
    }
    place(at, lane);
}

void Timeline::sift_down(std::size_t at) {
    LaneBase& lane = *heap_[at];
    for (;;) {
        std::size_t child = 2 * at + 1;
        if (child >= heap_.size()) {
            break;
        }
        if (child + 1 < heap_.size() && heap_[child + 1]->before(*heap_[child])) {
            ++child;
        }
        if (!heap_[child]->before(lane)) {
            break;
        }
        place(at, *heap_[child]);
        at = child;
    }
    place(at, lane);
}

LaneBase::LaneBase(Timeline& timeline, std::uint32_t rank)
    : timeline_(timeline), order_((std::uint64_t{rank} << 32U) | timeline.lanes_++) {}

void LaneBase::head_is_due(Picoseconds due) {
    due_ = due;
    if (heap_at_ == kNowhere) {
        timeline_.enlist(*this);
    } else {
        timeline_.raise(*this);
    }
}

void LaneBase::next_is_due(Picoseconds due) {
    due_ = due;
    timeline_.sink_top();
}

void LaneBase::nothing_left() {
    timeline_.delist_top();
}

}  // namespace ndsim
