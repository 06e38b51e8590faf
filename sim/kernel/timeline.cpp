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
    kernel_next_ = next_kernel_activity();
    ++activations_;
    running_ = true;
    while (!heap_.empty()) {
        const Picoseconds next = heap_.front().due();
        // Nothing else happens before `next`: going there by ourselves is what the kernel would do, without its cost.
        if (next > now_ && next >= kernel_next_) {
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
        heap_.front().lane->fire();
    }
    running_ = false;
    arm();
}

void Timeline::arm() {
    if (heap_.empty() || heap_.front().due() >= armed_for_ || control_.stopped()) {
        return;
    }
    armed_for_ = heap_.front().due();
    notify(due_, armed_for_);
}

void Timeline::notify(sc_core::sc_event& event, Picoseconds at) {
    kernel_next_ = std::min(kernel_next_, at);
    const Picoseconds kernel = kernel_now();
    event.notify(at > kernel ? to_sc(at - kernel) : sc_core::SC_ZERO_TIME);
}

void Timeline::enlist(const Entry& entry) {
    heap_.emplace_back();
    sift_up(heap_.size() - 1, entry);
    if (!running_) {
        arm();
    }
}

void Timeline::raise(const Entry& entry) {
    sift_up(entry.lane->heap_at_, entry);
    if (!running_) {
        arm();
    }
}

void Timeline::delist_top() {
    heap_.front().lane->heap_at_ = LaneBase::kNowhere;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) {
        replace_top(last);
    }
}

void Timeline::place(std::size_t at, const Entry& entry) {
    heap_[at] = entry;
    entry.lane->heap_at_ = at;
}

void Timeline::sift_up(std::size_t at, const Entry& entry) {
    while (at > 0) {
        const std::size_t parent = (at - 1) / 2;
        if (entry.key >= heap_[parent].key) {
            break;
        }
        place(at, heap_[parent]);
        at = parent;
    }
    place(at, entry);
}

void Timeline::replace_top(const Entry& entry) {
    const std::size_t size = heap_.size();
    std::size_t at = 0;
    for (std::size_t child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size) {
            child += heap_[child + 1].key < heap_[child].key ? 1 : 0;
        }
        if (heap_[child].key >= entry.key) {
            break;
        }
        place(at, heap_[child]);
        at = child;
    }
    place(at, entry);
}

LaneBase::LaneBase(Timeline& timeline, std::uint32_t rank)
    : timeline_(timeline), order_((std::uint64_t{rank} << 32U) | timeline.lanes_++) {}

void LaneBase::head_is_due(Picoseconds due) {
    if (heap_at_ == kNowhere) {
        timeline_.enlist(entry(due));
    } else {
        timeline_.raise(entry(due));
    }
}

void LaneBase::next_is_due(Picoseconds due) {
    timeline_.replace_top(entry(due));
}

void LaneBase::nothing_left() {
    timeline_.delist_top();
}

}  // namespace ndsim
