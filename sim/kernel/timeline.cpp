// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/timeline.hpp"

#include <algorithm>
#include <bit>
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
    armed_for_ = kNever;
    kernel_next_ = next_kernel_activity();
    ++activations_;
    running_ = true;
    while (next_due() != kNever) {
        const Picoseconds next = next_due();
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
        tournament_[1].lane->fire();
    }
    running_ = false;
    arm();
}

void Timeline::arm() {
    if (next_due() == armed_for_ || control_.stopped()) {
        return;
    }
    if (next_due() > armed_for_) {
        due_.cancel();  // what it was for has been cancelled
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
        return lane->due_ == kNever || lane->kind_ == LaneKind::retries;
    });
    if (no_work && kernel_next_ == kNever) {
        control_.only_retries(now_);
    }
}

void Timeline::enlist(LaneBase& lane) {
    const auto behind = std::upper_bound(lanes_.begin(), lanes_.end(), lane.rank_,
                                         [](std::uint32_t rank, const LaneBase* other) { return rank < other->rank_; });
    lanes_.insert(behind, &lane);
    tournament_.clear();
}

void Timeline::delist(LaneBase& lane) {
    std::erase(lanes_, &lane);
    tournament_.clear();
}

void Timeline::draw() {
    const std::size_t leaves = std::bit_ceil(std::max<std::size_t>(lanes_.size(), 2));
    tournament_.assign(2 * leaves, {});
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        lanes_[i]->leaf_ = leaves + i;
        tournament_[leaves + i] = {lanes_[i]->due_, lanes_[i]};
    }
    for (std::size_t node = leaves - 1; node > 0; --node) {
        const Node& left = tournament_[2 * node];
        const Node& right = tournament_[2 * node + 1];
        tournament_[node] = right.due < left.due ? right : left;
    }
}

void Timeline::changed(const LaneBase& lane) {
    if (tournament_.empty()) {
        draw();
    } else {
        Node* const nodes = tournament_.data();
        nodes[lane.leaf_].due = lane.due_;
        for (std::size_t node = lane.leaf_ / 2; node > 0; node /= 2) {
            const Node* const pair = nodes + 2 * node;
            const Node winner = pair[pair[1].due < pair[0].due ? 1 : 0];
            if (winner.lane == nodes[node].lane && winner.due == nodes[node].due) {
                break;  // nothing changes above
            }
            nodes[node] = winner;
        }
    }
    if (!running_) {
        arm();
    }
}

}  // namespace ndsim
