// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/traffic_runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ndapi/ndk/faces.hpp"

namespace ndsim {

TrafficRunner::TrafficRunner(World& world, HostSide& from, HostSide& to, const Traffic& traffic, const Measure& measure)
    : traffic_(traffic),
      from_(from),
      to_(to),
      sender_(world.node(from.host().name).core(traffic_core(traffic))),
      receiver_(world.node(to.host().name).core(traffic_core(traffic))),
      arrivals_(traffic, world.scenario().seed),
      measured_(measure, traffic.count),
      latency_(measured_.window()),
      delivery_(measured_.window()) {
    largest_ = static_cast<std::uint32_t>(traffic.largest().count);
    if (!traffic.sgl.empty()) {
        largest_ = size_of(0);
    }
    results_.resize(traffic.poll_batch);
    sender_.run_stepper([this] { step_sender(); });
    receiver_.run_stepper([this] { step_receiver(); });
}

std::uint32_t TrafficRunner::size_of(std::uint64_t message) const {
    if (traffic_.sgl.empty()) {
        return static_cast<std::uint32_t>(traffic_.sizes[message % traffic_.sizes.size()].count);
    }
    std::uint64_t sum = 0;
    for (const Bytes entry : traffic_.sgl) {
        sum += entry.count;
    }
    return static_cast<std::uint32_t>(sum);
}

void TrafficRunner::prepare_sender() {
    lanes_.resize(traffic_.queue_pairs);
    for (std::uint32_t n = 0; n < lanes_.size(); ++n) {
        const std::string end = Traffic::queue_pair(traffic_.from, n);
        const QpHandle& qp = from_.qp(end.substr(end.find('.') + 1));
        lanes_[n].qp = qp.qp;
        send_cq_ = from_.cq(qp.declared->send_cq).cq;
    }
    const Touched touched = is_read() ? Touched::by_devices : Touched::by_software;
    source_ = &from_.add_buffer("traffic." + traffic_.name + ".source", memory_size(), {Fill::counter, 0, touched});
}

void TrafficRunner::start(Picoseconds at) {
    if (is_one_sided()) {
        remote_ = from_.remote_buffer(to_.host().name + ".traffic." + traffic_.name + ".sink");
    } else {
        receiver_.wake(at);
    }
    arrivals_.begin(at);
    measured_.begin(at);
    sender_.wake(at);
}

void TrafficRunner::step_sender() {
    core::Cq& cq = ndk::face<ndk::CqFace>(send_cq_).core;
    bool worked = false;
    if (!sender_.can_store()) {  // a poll may have to tell the NIC of itself
        sender_.stall();
        return;
    }
    if (cq.can_poll()) {
        const bool was_full = is_window_full();
        take_completions(send_cq_->Dispatch->NdkGetCqResults(send_cq_, results_.data(), traffic_.poll_batch));
        if (was_full) {
            was_kept_by(Account::slot, sender_.clock());
        }
        worked = true;
    }
    while (failed_ == 0 && posted_ < traffic_.count && !is_window_full() && has_arrived() && has_credit() &&
           post_send()) {
        worked = true;
    }
    if (completed_ == traffic_.count || (failed_ > 0 && completed_ == posted_)) {
        sender_.sleep();
    } else if (!sender_.can_store()) {
        sender_.stall();
    } else if (worked) {
        sender_.again();
    } else {
        if (posted_ < traffic_.count && !has_arrived()) {
            sender_.sleep(arrivals_.next());
        } else if (!has_credit() && !credits_.empty()) {
            sender_.sleep(credits_.front());
        }
        cq.wait();
    }
}

// With credits, a message is sent only if a receive has been posted for it; the news of one costs nothing. The
// receiver's core may be ahead of the simulation, so a receive counts from its own time on.
bool TrafficRunner::has_credit() {
    while (!credits_.empty() && credits_.front() <= sender_.clock()) {
        const Picoseconds there = credits_.pop();
        if (credited_ == posted_) {
            was_kept_by(Account::rnr, there);
        }
        ++credited_;
    }
    return !traffic_.credits || is_one_sided() || posted_ < credited_;
}

// Something that no message could be posted without was there at last.
void TrafficRunner::was_kept_by(Account what, Picoseconds until) {
    if (until > kept_until_) {
        kept_by_ = what;
        kept_until_ = until;
    }
}

bool TrafficRunner::post_send() {
    sgl_.clear();
    std::uint64_t offset = place_of(posted_);
    const auto entry = [&](std::uint64_t length) {
        NDK_SGE sge{};
        sge.VirtualAddress = source_->memory.data() + offset;
        sge.Length = static_cast<ULONG>(length);
        sge.MemoryRegionToken = source_->token;
        sgl_.push_back(sge);
        offset += length;
    };
    if (traffic_.sgl.empty()) {
        entry(size_of(posted_));
    }
    for (const Bytes length : traffic_.sgl) {
        entry(length.count);
    }
    if (traffic_.think_time > Picoseconds{} && posted_ >= traffic_.window) {
        sender_.spend(CoreActivity::other, traffic_.think_time);
    }
    // What could not be posted when it arrived has waited since: for what was missing last, then for this core.
    Picoseconds until = sender_.clock();
    if (arrivals_.open() && !wanted_ && arrivals_.next() < sender_.clock()) {
        wanted_ = arrivals_.next();
        wait_ = kept_by_;
        until = kept_until_;
    }
    const Picoseconds begins = wanted_.value_or(sender_.clock());
    if (!sender_.can_store()) {
        wanted_ = begins;
        wait_ = Account::doorbell;
        return false;
    }
    Lane& lane = lanes_[posted_ % lanes_.size()];
    if (wanted_) {
        ndk::face<ndk::QpFace>(lane.qp).core.wanted({*wanted_, wait_, until});
    }
    const NTSTATUS status = post(lane);
    if (status == STATUS_NO_MORE_ENTRIES) {
        ++queue_full_;
        wanted_ = begins;
        wait_ = Account::slot;
        return false;
    }
    wanted_.reset();
    arrivals_.taken();
    ++posted_;
    if (status != STATUS_SUCCESS) {
        ++failed_;
        ++completed_;
        return true;
    }
    ++lane.posted;
    lane.awaiting.push(begins);
    if (!is_one_sided()) {
        awaiting_delivery_.push(begins);
    }
    return true;
}

// The completion brings the lane back.
NTSTATUS TrafficRunner::post(Lane& lane) {
    const auto& call = *lane.qp->Dispatch;
    const auto entries = static_cast<ULONG>(sgl_.size());
    const std::uint64_t remote = remote_.address + place_of(posted_);
    switch (traffic_.operation) {
        case TrafficOperation::send:
            return call.NdkSend(lane.qp, &lane, sgl_.data(), entries, flags_of(lane));
        case TrafficOperation::write:
            return call.NdkWrite(lane.qp, &lane, sgl_.data(), entries, remote, remote_.token, flags_of(lane));
        case TrafficOperation::read:
            return call.NdkRead(lane.qp, &lane, sgl_.data(), entries, remote, remote_.token, flags_of(lane));
    }
    return STATUS_INVALID_PARAMETER;
}

// The last request of each queue pair is signaled, so that it tells of all.
ULONG TrafficRunner::flags_of(const Lane& lane) const {
    const bool signaled = (lane.posted + 1) % traffic_.signal_every == 0 || posted_ + lanes_.size() >= traffic_.count;
    const bool solicited = traffic_.solicit_every != 0 && (posted_ + 1) % traffic_.solicit_every == 0;
    return (signaled ? 0 : NDK_OP_FLAG_SILENT_SUCCESS) | (solicited ? NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT : 0) |
           (traffic_.inlined ? NDK_OP_FLAG_INLINE : 0);
}

void TrafficRunner::take_completions(ULONG count) {
    const Picoseconds at = sender_.clock();
    for (ULONG i = 0; i < count; ++i) {
        Lane& lane = *static_cast<Lane*>(results_[i].RequestContext);
        const bool succeeded = results_[i].Status == STATUS_SUCCESS;
        failed_ += succeeded ? 0 : 1;
        // A completion says that the silent messages before it are done, too.
        const bool flushed = results_[i].Status == STATUS_CANCELLED;
        std::uint64_t done = flushed ? 1 : traffic_.signal_every - lane.completed % traffic_.signal_every;
        done = std::min<std::uint64_t>(done, lane.posted - lane.completed);
        for (; done > 0; --done) {
            const Picoseconds begun = lane.awaiting.pop();
            if (done == 1 && completed_ >= measured_.warmup() && completed_ < measured_.warmup() + measured_.window()) {
                latency_.record(completed_ - measured_.warmup(), at - begun);
            }
            ++lane.completed;
            ++completed_;
            if (is_one_sided()) {
                ++received_;
            }
            if (is_one_sided() && succeeded) {
                measure(at, size_of(completed_ - 1), begun);
            }
        }
    }
}

void TrafficRunner::measure(Picoseconds at, std::uint64_t bytes, Picoseconds begun) {
    received_bytes_ += bytes;
    if (!is_one_sided() && measured_.is_measuring()) {
        delivery_.record(measured_.rate().measured(), at - begun);
    }
    measured_.record(at, bytes);
}

std::string TrafficRunner::where() const {
    if (is_one_sided()) {
        return fmt::format("traffic {}: {} of {} requests posted, {} completed at {}", traffic_.name, posted_,
                           traffic_.count, completed_, traffic_.from);
    }
    return fmt::format(
        "traffic {}: {} of {} messages posted, {} completed at {}, {} received at {} ({} receives posted)",
        traffic_.name, posted_, traffic_.count, completed_, traffic_.from, received_, traffic_.to, receives_posted_);
}

void TrafficRunner::report(Metrics& metrics) const {
    const std::string prefix = "traffic." + traffic_.name;
    metrics.add(prefix + ".messages", received_, std::nullopt, "messages received, or written or read");
    metrics.add(prefix + ".bytes", received_bytes_, Quantity::size, "payload of them");
    metrics.add(prefix + ".failed", failed_, std::nullopt, "requests that did not succeed");
    metrics.add(prefix + ".queue_full", queue_full_, std::nullopt, "posts that found the send queue full");
    const RateWindow& rate = measured_.rate();
    metrics.add(prefix + ".measured", rate.measured(), std::nullopt, "messages in the measured window");
    // What the sample cannot support is left out.
    if (const auto bytes = rate.amount_per_second()) {
        metrics.add(prefix + ".goodput", 8 * *bytes, Quantity::rate, "payload received per second");
    }
    if (const auto messages = rate.events_per_second()) {
        metrics.add(prefix + ".message_rate", *messages, Quantity::frequency, "messages received per second");
    }
    measured_.report_trust(metrics, prefix, "message rate");
    latency_.report(metrics, prefix + ".latency", "from post to the sender's poll");
    if (!is_one_sided()) {
        delivery_.report(metrics, prefix + ".delivery", "from post to the receiver's poll");
    }
}

}  // namespace ndsim
