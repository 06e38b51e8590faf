// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/traffic_sender.hpp"

#include <algorithm>

#include "ndapi/ndk/faces.hpp"

namespace ndsim {

TrafficSender::TrafficSender(HostSide& side, Core& core, const Traffic& traffic, std::uint64_t seed,
                             const TrafficShape& shape, TrafficFigures& figures, Ring<Picoseconds>& credits)
    : side_(side),
      core_(core),
      traffic_(traffic),
      shape_(shape),
      figures_(figures),
      credits_(credits),
      done_(core, traffic.poll_batch),
      arrivals_(traffic, seed),
      choice_(traffic, seed),
      waits_(core, kWaitNames, kWaitSentences) {
    core_.run_stepper([this] { step(); });
}

void TrafficSender::prepare() {
    lanes_.resize(traffic_.queue_pairs);
    NdkFace& face = ndk_face(side_);
    for (std::uint32_t n = 0; n < lanes_.size(); ++n) {
        const std::string name = Traffic::queue_pair(traffic_.from, n).name;
        lanes_[n].inbox = &done_;
        lanes_[n].qp = face.qp(name);
        done_.open(face.cq(side_.qp(name).send_cq));
    }
    const Touched touched = shape_.is_read() ? Touched::by_devices : Touched::by_software;
    memory_ = add_memory(side_, traffic_, shape_, ".source", {Fill::counter, 0, touched});
}

void TrafficSender::start(Picoseconds at) {
    if (shape_.is_one_sided()) {
        remote_ = side_.published({traffic_.to.host, "traffic." + traffic_.name + ".sink"});
    }
    arrivals_.begin(at);
    core_.wake(at);
}

void TrafficSender::step() {
    const Picoseconds begun = core_.clock();
    bool worked = false;
    if (!core_.can_store()) {  // a poll may have to store its index
        core_.stall();
        return;
    }
    // It polls when it has posted all that it may: a burst goes on where the store buffer broke it off.
    if (!std::exchange(in_burst_, false) && done_.can_take()) {
        const bool was_full = is_window_full();
        take_completions(done_.take());
        if (was_full) {
            was_kept_by(Account::slot, core_.clock());
        }
        end_wait(begun);
        worked = true;
    }
    const bool is_dead = figures_.failures() > 0 || done_.has_failed();
    while (!is_dead && posted_ < traffic_.count && !is_window_full() && has_arrived() && has_credit() && post_send()) {
        worked = true;
    }
    if (worked) {
        end_wait(begun);
    }
    wait_for(missing(), core_.clock());
    if (completed_ == traffic_.count || (figures_.failures() > 0 && completed_ == posted_)) {
        core_.sleep();
    } else if (!core_.can_store()) {
        core_.stall();
    } else if (worked) {
        core_.again();
    } else {
        if (posted_ < traffic_.count && !has_arrived()) {
            core_.sleep(arrivals_.next());
        } else if (!has_credit() && !credits_.empty()) {
            core_.sleep(credits_.front());
        }
        done_.wait();
    }
}

// Why the generator cannot post a wanted message.
TrafficSender::Wait TrafficSender::missing() {
    if (figures_.failures() > 0 || posted_ == traffic_.count || !has_arrived()) {
        return Wait::none;
    }
    if (is_window_full()) {
        return Wait::window;
    }
    if (!has_credit()) {
        return Wait::receive;
    }
    return found_queue_full_ ? Wait::queue : Wait::none;
}

void TrafficSender::wait_for(Wait what, Picoseconds at) {
    if (what == waits_for_) {
        return;
    }
    held_ = {};
    waits_.enter(static_cast<std::size_t>(what), at);
    waits_for_ = what;
    waits_since_ = at;
}

// The time by which a request was done before its completion came was a wait for that completion.
void TrafficSender::end_wait(Picoseconds at) {
    if (waits_for_ == Wait::queue || waits_for_ == Wait::window) {
        const Picoseconds held = std::min(held_, at - waits_since_);
        waits_.enter(static_cast<std::size_t>(Wait::completion), at - held);
        waits_for_ = Wait::completion;
    }
    wait_for(Wait::none, at);
}

core::Qp& TrafficSender::core_of(const Lane& lane) {
    return ndk::face<ndk::QpFace>(lane.qp).core;
}

// With credits, a message is sent only if its receive is there; the news of a receive costs nothing. The receiver's
// core may be ahead of the simulation, so a receive that no doorbell tells counts from its own time on.
bool TrafficSender::has_credit() {
    while (!credits_.empty() && credits_.front() <= core_.clock()) {
        const Picoseconds there = credits_.pop();
        if (credited_ == posted_) {
            was_kept_by(Account::rnr, there);
        }
        ++credited_;
    }
    return !traffic_.uses_credits() || shape_.is_one_sided() || posted_ < credited_;
}

// Something missing for any message became available.
void TrafficSender::was_kept_by(Account what, Picoseconds until) {
    if (until > kept_until_) {
        kept_by_ = what;
        kept_until_ = until;
    }
}

bool TrafficSender::post_send() {
    sgl_.clear();
    std::uint64_t offset = shape_.place_of(posted_);
    const auto entry = [&](std::uint64_t length) {
        NDK_SGE sge{};
        sge.VirtualAddress = memory_.data + offset;
        sge.Length = static_cast<ULONG>(length);
        sge.MemoryRegionToken = memory_.token;
        sgl_.push_back(sge);
        offset += length;
    };
    if (traffic_.sgl.empty()) {
        entry(shape_.size_of(posted_));
    }
    for (const Bytes length : traffic_.sgl) {
        entry(length.count);
    }
    if (traffic_.think_time > Picoseconds{} && posted_ >= traffic_.window && !wanted_) {
        core_.spend(CoreActivity::other, traffic_.think_time);
    }
    // A message that could not be posted at its arrival has waited for the last thing missing, then for this core.
    Picoseconds until = core_.clock();
    if (arrivals_.open() && !wanted_ && arrivals_.next() < core_.clock()) {
        wanted_ = arrivals_.next();
        wait_ = kept_by_;
        until = kept_until_;
    }
    const Picoseconds begins = wanted_.value_or(core_.clock());
    found_queue_full_ = false;
    if (!core_.can_store()) {
        in_burst_ = true;
        wanted_ = begins;
        wait_ = Account::doorbell;
        return false;
    }
    const std::size_t number = choice_.next();
    Lane& lane = lanes_[number];
    if (wanted_) {
        core_of(lane).wanted({*wanted_, wait_, until});
    }
    const ULONG flags = flags_of(lane);
    const NTSTATUS status = post(lane, flags);
    found_queue_full_ = status == STATUS_NO_MORE_ENTRIES;
    if (status == STATUS_NO_MORE_ENTRIES) {
        figures_.queue_was_full();
        wanted_ = begins;
        wait_ = Account::slot;
        return false;
    }
    wanted_.reset();
    arrivals_.taken();
    choice_.taken();
    ++posted_;
    if (status != STATUS_SUCCESS) {
        figures_.failed();
        ++completed_;
        return true;
    }
    lane.awaiting.push({begins, (flags & NDK_OP_FLAG_SILENT_SUCCESS) != 0});
    ++lane.posted;
    figures_.posted(number, begins);
    return true;
}

NTSTATUS TrafficSender::post(Lane& lane, ULONG flags) {
    const auto& call = *lane.qp->Dispatch;
    void* const context = static_cast<CompletionInbox::Context*>(&lane);
    const auto entries = static_cast<ULONG>(sgl_.size());
    const std::uint64_t remote = raw(remote_.address) + shape_.place_of(posted_);
    switch (traffic_.operation) {
        case TrafficOperation::send:
            return call.NdkSend(lane.qp, context, sgl_.data(), entries, flags);
        case TrafficOperation::write:
            return call.NdkWrite(lane.qp, context, sgl_.data(), entries, remote, raw(remote_.key), flags);
        case TrafficOperation::read:
            return call.NdkRead(lane.qp, context, sgl_.data(), entries, remote, raw(remote_.key), flags);
    }
    return STATUS_INVALID_PARAMETER;
}

// The last request of each queue pair is signaled, so that it reports all earlier ones.
ULONG TrafficSender::flags_of(const Lane& lane) const {
    const bool signaled = (lane.posted + 1) % traffic_.signal_every == 0 || posted_ + lanes_.size() >= traffic_.count;
    const bool solicited = traffic_.solicit_every != 0 && (posted_ + 1) % traffic_.solicit_every == 0;
    return (signaled ? 0 : NDK_OP_FLAG_SILENT_SUCCESS) | (solicited ? NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT : 0) |
           (traffic_.inlined ? NDK_OP_FLAG_INLINE : 0);
}

void TrafficSender::take_completions(std::span<const NDK_RESULT> results) {
    const Picoseconds at = core_.clock();
    for (std::size_t i = 0; i < results.size(); ++i) {
        const NDK_RESULT& result = results[i];
        Lane& lane = static_cast<Lane&>(*static_cast<CompletionInbox::Context*>(result.RequestContext));
        const bool succeeded = result.Status == STATUS_SUCCESS;
        if (!succeeded) {
            figures_.failed();
        }
        const bool ends_wait = waits_for_ != Wait::queue || &lane == &lanes_[choice_.next()];
        if (traffic_.signal_every > 1 && ends_wait) {
            held_ = std::max(held_, core_of(lane).take_slots_held());
        }
        const std::uint32_t silent = silent_before(lane, succeeded);
        lane.silent_ends += silent;
        for (std::uint32_t n = 0; n <= silent; ++n) {
            const Picoseconds begun = lane.awaiting.pop().begun;
            if (n == silent && succeeded) {
                figures_.took(completed_, done_.polled_at(i) - begun);
            }
            ++completed_;
            if (shape_.is_one_sided() && (n < silent || succeeded)) {
                figures_.arrived();
            }
            if (succeeded) {
                figures_.completed(at, completed_ - 1);
            }
        }
    }
}

// A completion shows that the silent messages before it are done, too. Behind a failure all messages have completions,
// so only the queue pair knows how many had none.
std::uint32_t TrafficSender::silent_before(const Lane& lane, bool succeeded) {
    if (!succeeded) {
        return core_of(lane).silent_ends() - lane.silent_ends;
    }
    std::uint32_t count = 0;
    while (lane.awaiting[count].silent) {
        ++count;
    }
    return count;
}

}  // namespace ndsim
