// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/timeline.hpp"

#include <string>

#include "sim/base/invariant_error.hpp"

namespace ndsim {

namespace {

// More work than any node has at one picosecond: beyond it, a unit feeds itself without time passing.
constexpr std::uint64_t kMostAtOnce = 50'000'000;

// The time of the kernel's next activity, or for ever if there is none.
Picoseconds next_kernel_activity() {
    // Activity due now is at distance 0; with nothing pending the distance reaches the end of the kernel's time.
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
    if (kernel_now() > now_) {
        now_ = kernel_now();
        items_at_now_ = 0;
    }
    armed_for_ = kNever;
    kernel_next_ = next_kernel_activity();
    ++activations_;
    running_ = true;
    while (next_due() != kNever) {
        const Picoseconds next = next_due();
        // Nothing else happens before `next`: the timeline goes there as the kernel would, but without its cost.
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
            running_ = control_.end() == RunEnd::time_limit;
            now_ = running_ ? control_.time_limit() : now_;
            return;
        }
        items_at_now_ = next == now_ ? items_at_now_ + 1 : 0;
        if (items_at_now_ > kMostAtOnce) {
            throw InvariantError(name(), now_, "time stands still: " + std::to_string(kMostAtOnce) + " items at once");
        }
        now_ = next;
        ++items_;
        LaneBase& lane = *lanes_[static_cast<std::uint32_t>(next_->place)];
        next_++->at = kPassed;
        lane.due_ = kNever;
        lane.fire();
    }
    running_ = false;
    arm();
}

void Timeline::arm() {
    if (next_due() == armed_for_ || control_.stopped()) {
        return;
    }
    if (next_due() > armed_for_) {
        due_.cancel();  // its item has been cancelled
    }
    armed_for_ = next_due();
    if (armed_for_ != kNever) {
        notify(due_, armed_for_);
    }
}

void Timeline::notify(sc_core::sc_event& event, Picoseconds at) {
    kernel_next_ = std::min(kernel_next_, at);
    const Picoseconds kernel = kernel_now();
    event.notify(at > kernel ? to_sc(at - kernel) : sc_core::SC_ZERO_TIME);
}

void Timeline::hand_over(sc_core::sc_event& thread) {
    threads_.push(&thread);
    if (threads_.size() == 1) {
        notify(thread, now_);
    }
}

void Timeline::rests() {
    threads_.pop();
    if (!threads_.empty()) {
        threads_.front()->notify();
    }
}

void Timeline::retries_for_ever() {
    const bool no_work = std::all_of(lanes_.begin(), lanes_.end(), [](const LaneBase* lane) {
        return lane == nullptr || lane->due_ == kNever || lane->kind_ == LaneKind::retries;
    });
    if (no_work && kernel_next_ == kNever) {
        control_.only_retries(now_);
    }
}

void Timeline::enlist(LaneBase& lane) {
    lane.place_ = std::uint64_t{lane.rank_} << 32 | lanes_.size();
    lanes_.push_back(&lane);
    if (dues_.size() < 2 * lanes_.size() + 3) {
        make_room();
    }
}

void Timeline::delist(LaneBase& lane) {
    if (lane.due_ != kNever) {
        remove({lane.due_, lane.place_});
    }
    lanes_[static_cast<std::uint32_t>(lane.place_)] = nullptr;
    while (!lanes_.empty() && lanes_.back() == nullptr) {
        lanes_.pop_back();
    }
}

void Timeline::make_room() {
    const std::ptrdiff_t next = next_ - dues_.data();
    const std::ptrdiff_t end = dues_end_ - dues_.data();
    dues_.resize(4 * lanes_.size() + 3);
    next_ = dues_.data() + next;
    dues_end_ = dues_.data() + end;
    last_ = &dues_.back();
}

// Sorted in from the nearer end.
void Timeline::insert(Due due) {
    const auto waiting = static_cast<std::size_t>(dues_end_ - next_);
    if (next_ != &dues_[1] && due < next_[waiting / 2]) {
        Due* at = --next_;
        for (; at[1] < due; ++at) {
            *at = at[1];
        }
        *at = due;
        return;
    }
    if (dues_end_ == last_) [[unlikely]] {
        move_to_front();
    }
    Due* at = dues_end_++;
    at[1].at = kNever;
    for (; due < at[-1]; --at) {
        *at = at[-1];
    }
    *at = due;
}

void Timeline::remove(const Due& due) {
    Due* const place = std::lower_bound(next_, dues_end_, due);
    std::move(place + 1, dues_end_ + 1, place);
    --dues_end_;
}

// There are twice as many places as lanes, so this is rare, and apart from insert().
[[gnu::noinline]] void Timeline::move_to_front() {
    dues_end_ = std::move(next_, dues_end_ + 1, &dues_[1]) - 1;
    next_ = &dues_[1];
}

void LaneBase::refuse_overtaking(const char* owner, Picoseconds due) const {
    throw InvariantError(owner, timeline_.now(),
                         "an item due at " + std::to_string(due.count()) + " ps would overtake one in its lane");
}

}  // namespace ndsim
