// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ndapi/ndk/faces.hpp"
#include "scenarios/generators/traffic_runner.hpp"

// The receiver's side of a generator: it takes the messages of Sends, and posts its buffers again.
namespace ndsim {

void TrafficRunner::prepare_receiver() {
    const QueuePair& qp = to_.qp(traffic_.to.name);
    receive_qp_ = ndk_face(to_).qp(qp.name);
    receives_done_.open(ndk_face(to_).cq(qp.receive_cq));
    const Touched touched = is_read() ? Touched::by_software : Touched::by_devices;
    sink_ = add_memory(to_, ".sink", {Fill::zero, 0, touched});
    if (is_one_sided()) {
        return;
    }
    const std::uint64_t ahead = traffic_.receives != 0 ? traffic_.receives : UINT32_MAX;
    while (receives_posted_ < std::min(ahead, traffic_.count) && post_receive()) {
        ring_for_receives();  // set-up is not measured, so it posts without lists
    }
    repost_batch_ = std::clamp<std::uint64_t>(receives_posted_, 1, traffic_.repost_batch);
}

std::uint64_t TrafficRunner::memory_size() const {
    return place_of(traffic_.buffers - 1) + std::max(1U, largest_);
}

bool TrafficRunner::post_receive() {
    const core::LocalPiece piece{sink_.data + place_of(receives_posted_), largest_, MrKey{sink_.token}};
    core::Qp& qp = ndk::face<ndk::QpFace>(receive_qp_).core;
    if (qp.receive(&receive_context_, {&piece, 1}, core::Tells::with_list) != STATUS_SUCCESS) {
        return false;
    }
    ++receives_posted_;
    return true;
}

// From their doorbell on, receives count for the sender.
void TrafficRunner::ring_for_receives() {
    if (receives_rung_ == receives_posted_) {
        return;
    }
    ndk::face<ndk::QpFace>(receive_qp_).core.ring_receive_doorbell();
    for (; receives_rung_ != receives_posted_; ++receives_rung_) {
        if (traffic_.credits) {
            credits_.push(to_.driver().core().clock());
        }
    }
}

void TrafficRunner::post_owed_receives() {
    for (; receives_owed_ > 0 && receiver_.can_store(); receives_owed_ -= repost_batch_) {
        for (std::uint64_t i = 0; i < repost_batch_; ++i) {
            if (const Picoseconds late = receiver_.jitter().repost(); late > Picoseconds{}) {
                receiver_.spend(CoreActivity::other, late);
            }
            (void)post_receive();
        }
        ring_for_receives();
    }
}

void TrafficRunner::step_receiver() {
    const Picoseconds begun = receiver_.clock();
    post_owed_receives();
    if (!receiver_.can_store()) {
        receiver_.stall();
    } else if (receiver_.clock() > begun) {
        receiver_.again();  // a poll looks at the queue at the core's own time
    } else if (receives_done_.can_take()) {
        const std::span<const NDK_RESULT> results = receives_done_.take();
        take_messages(results);
        // Buffers are posted again to the very end, so that the last messages cost as much as the others.
        receives_kept_ += failed_ == 0 ? results.size() : 0;
        receives_owed_ = receives_kept_ / repost_batch_ * repost_batch_;
        receives_kept_ -= receives_owed_;
        post_owed_receives();
        if (!credits_.empty()) {
            sender_.wake(credits_.front());
        }
        receiver_.again();
    } else if (received_ == traffic_.count) {
        receiver_.sleep();
    } else {
        receives_done_.wait();
    }
}

void TrafficRunner::take_messages(std::span<const NDK_RESULT> results) {
    const Picoseconds at = receiver_.clock();
    for (const NDK_RESULT& result : results) {
        ++received_;
        if (result.Status != STATUS_SUCCESS) {
            ++failed_;
            continue;
        }
        measure(at, result.BytesTransferred, awaiting_delivery_.pop());
    }
}

}  // namespace ndsim
