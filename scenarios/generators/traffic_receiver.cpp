// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/traffic_receiver.hpp"

#include <algorithm>
#include <utility>

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
      poster_(core),
      done_(core, traffic.poll_batch) {
    core_.run_stepper([this] { step(); });
}

void TrafficReceiver::prepare() {
    const QueuePair& qp = side_.qp(traffic_.to.name);
    NdkFace& face = ndk_face(side_);
    poster_.open(face, qp);
    done_.open(face.cq(qp.receive_cq));
    const Touched touched = shape_.is_read() ? Touched::by_software : Touched::by_devices;
    memory_ = add_memory(side_, traffic_, shape_, ".sink", {Fill::zero, 0, touched});
    if (shape_.is_one_sided()) {
        return;
    }
    if (poster_.is_shared()) {  // this side's completions are those of its queue pairs, whoever posted
        for (std::uint32_t n = 0; n < traffic_.queue_pairs; ++n) {
            face.take_receives(Traffic::queue_pair(traffic_.to, n).name, {{&done_}, n});
        }
    } else {
        context_.inbox = &done_;
    }
    if (traffic_.uses_credits() && !side_.driver().doorbells().are_only_recorded_for_receives()) {
        poster_.hear_of_receives([this](std::uint32_t all) { give_credits(all); });
        tells_nic_ = true;
    }
    post_ahead();
    repost_batch_ = std::clamp<std::uint64_t>(posted_, 1, traffic_.repost_batch);
}

// Set-up is not measured, so it posts without lists.
void TrafficReceiver::post_ahead() {
    const std::uint64_t wanted =
        poster_.is_shared() ? traffic_.srq.ahead
                            : std::min(traffic_.receives != 0 ? traffic_.receives : UINT64_MAX, traffic_.count);
    while (posted_ < wanted && post_receive()) {
        ring_for_receives();
    }
}

bool TrafficReceiver::post_receive() {
    const auto room = static_cast<std::uint32_t>(traffic_.room().count);
    if (!poster_.post(context_, {memory_.data + shape_.place_of(posted_), room, MrKey{memory_.token}})) {
        return false;
    }
    ++posted_;
    return true;
}

// A NIC that reads of receives in a record finds them there when it needs them.
void TrafficReceiver::ring_for_receives() {
    if (rung_ == posted_) {
        return;
    }
    poster_.ring();
    for (; rung_ != posted_; ++rung_) {
        if (traffic_.uses_credits() && !tells_nic_) {
            credits_.push(side_.driver().core().clock());
        }
    }
}

// The NIC knows of so many receives: from now on no message can come before its receive.
void TrafficReceiver::give_credits(std::uint32_t all) {
    for (; given_ != all; ++given_) {
        credits_.push(side_.driver().now());
    }
    if (has_begun_) {
        sender_.wake(side_.driver().now());
    }
}

void TrafficReceiver::spend_lateness() {
    if (const Picoseconds late = core_.jitter().repost(); late > Picoseconds{}) {
        core_.spend(CoreActivity::other, late);
    }
}

void TrafficReceiver::post_owed() {
    for (; owed_ > 0 && core_.can_store(); owed_ -= repost_batch_) {
        for (std::uint64_t i = 0; i < repost_batch_; ++i) {
            spend_lateness();
            (void)post_receive();
        }
        ring_for_receives();
    }
    if (!credits_.empty()) {
        sender_.wake(credits_.front());
    }
}

// The queue may be full although messages have taken receives: its slots are free again in their order.
void TrafficReceiver::post_shared() {
    if (owed_ == 0 || !core_.can_store()) {
        return;
    }
    const Picoseconds begun = core_.clock();
    if (!std::exchange(was_late_, true)) {
        spend_lateness();
    }
    if (core_.clock() == begun && post_receive()) {
        ring_for_receives();
        --owed_;
        was_late_ = false;
    }
}

void TrafficReceiver::step() {
    has_begun_ = true;
    const Picoseconds begun = core_.clock();
    if (poster_.is_shared()) {
        post_shared();
    } else {
        post_owed();
    }
    if (!core_.can_store()) {
        core_.stall();
    } else if (core_.clock() > begun) {
        core_.again();  // a poll looks at the queue at the core's own time
    } else if (done_.can_take()) {
        const std::span<const NDK_RESULT> results = done_.take();
        take_messages(results);
        // Buffers are posted again to the very end, so that the last messages cost as much as the others.
        kept_ += figures_.failures() == 0 ? results.size() : 0;
        const std::uint64_t whole = kept_ / repost_batch_ * repost_batch_;
        owed_ += whole;
        kept_ -= whole;
        if (!poster_.is_shared()) {
            post_owed();
        }
        core_.again();
    } else {
        if (owed_ > 0 && poster_.is_shared()) {
            core_.sleep(poster_.room_at());
        }
        if (figures_.messages() == traffic_.count) {
            core_.sleep();
        } else {
            done_.wait();
        }
    }
}

void TrafficReceiver::take_messages(std::span<const NDK_RESULT> results) {
    const Picoseconds at = core_.clock();
    for (std::size_t i = 0; i < results.size(); ++i) {
        const NDK_RESULT& result = results[i];
        if (result.Status != STATUS_SUCCESS) {
            figures_.failed();
            continue;
        }
        figures_.arrived();
        const auto& queue_pair =
            static_cast<const QpContext&>(*static_cast<CompletionInbox::Context*>(result.QPContext));
        figures_.received(queue_pair.number, done_.polled_at(i), at, result.BytesTransferred);
    }
}

}  // namespace ndsim
