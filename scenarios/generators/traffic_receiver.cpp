// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/traffic_receiver.hpp"

#include <algorithm>

#include "ndapi/ndk/faces.hpp"

namespace ndsim {

TrafficReceiver::TrafficReceiver(HostSide& side, Core& core, Core& sender, const Traffic& traffic,
                                 const TrafficShape& shape, TrafficFigures& figures, Ring<Picoseconds>& credits)
    : side_(side),
      core_(core),
      sender_(sender),
      traffic_(traffic),
      shape_(shape),
      figures_(figures),
      credits_(credits),
      done_(core, traffic.poll_batch) {
    core_.run_stepper([this] { step(); });
}

void TrafficReceiver::prepare() {
    const QueuePair& qp = side_.qp(traffic_.to.name);
    qp_ = ndk_face(side_).qp(qp.name);
    done_.open(ndk_face(side_).cq(qp.receive_cq));
    const Touched touched = shape_.is_read() ? Touched::by_software : Touched::by_devices;
    memory_ = add_memory(side_, traffic_, shape_, ".sink", {Fill::zero, 0, touched});
    if (shape_.is_one_sided()) {
        return;
    }
    const std::uint64_t ahead = traffic_.receives != 0 ? traffic_.receives : UINT32_MAX;
    while (posted_ < std::min(ahead, traffic_.count) && post_receive()) {
        ring_for_receives();  // set-up is not measured, so it posts without lists
    }
    repost_batch_ = std::clamp<std::uint64_t>(posted_, 1, traffic_.repost_batch);
}

bool TrafficReceiver::post_receive() {
    const core::LocalPiece piece{memory_.data + shape_.place_of(posted_), shape_.largest(), MrKey{memory_.token}};
    core::Qp& qp = ndk::face<ndk::QpFace>(qp_).core;
    if (qp.receive(&context_, {&piece, 1}, core::Tells::with_list) != STATUS_SUCCESS) {
        return false;
    }
    ++posted_;
    return true;
}

// From their doorbell on, receives count for the sender.
void TrafficReceiver::ring_for_receives() {
    if (rung_ == posted_) {
        return;
    }
    ndk::face<ndk::QpFace>(qp_).core.ring_receive_doorbell();
    for (; rung_ != posted_; ++rung_) {
        if (traffic_.credits) {
            credits_.push(side_.driver().core().clock());
        }
    }
}

void TrafficReceiver::post_owed() {
    for (; owed_ > 0 && core_.can_store(); owed_ -= repost_batch_) {
        for (std::uint64_t i = 0; i < repost_batch_; ++i) {
            if (const Picoseconds late = core_.jitter().repost(); late > Picoseconds{}) {
                core_.spend(CoreActivity::other, late);
            }
            (void)post_receive();
        }
        ring_for_receives();
    }
    if (!credits_.empty()) {
        sender_.wake(credits_.front());
    }
}

void TrafficReceiver::step() {
    const Picoseconds begun = core_.clock();
    post_owed();
    if (!core_.can_store()) {
        core_.stall();
    } else if (core_.clock() > begun) {
        core_.again();  // a poll looks at the queue at the core's own time
    } else if (done_.can_take()) {
        const std::span<const NDK_RESULT> results = done_.take();
        take_messages(results);
        // Buffers are posted again to the very end, so that the last messages cost as much as the others.
        kept_ += figures_.failures() == 0 ? results.size() : 0;
        owed_ = kept_ / repost_batch_ * repost_batch_;
        kept_ -= owed_;
        post_owed();
        core_.again();
    } else if (figures_.messages() == traffic_.count) {
        core_.sleep();
    } else {
        done_.wait();
    }
}

void TrafficReceiver::take_messages(std::span<const NDK_RESULT> results) {
    const Picoseconds at = core_.clock();
    for (const NDK_RESULT& result : results) {
        if (result.Status != STATUS_SUCCESS) {
            figures_.failed();
            continue;
        }
        figures_.arrived();
        figures_.received(at, result.BytesTransferred);
    }
}

}  // namespace ndsim
