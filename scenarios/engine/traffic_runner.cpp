// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/traffic_runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ndapi/ndk/faces.hpp"

namespace ndsim {

namespace {

std::string queue_pair_of(const std::string& endpoint) {
    return endpoint.substr(endpoint.find('.') + 1);
}

std::uint64_t warmup_of(const Measure& measure, std::uint64_t count) {
    constexpr std::uint64_t kMost = 10'000;
    const std::uint64_t wanted = measure.warmup != 0 ? measure.warmup : std::min(count / 10, kMost);
    return std::min(wanted, count - 1);
}

std::uint64_t window_of(const Measure& measure, std::uint64_t count, std::uint64_t warmup) {
    const std::uint64_t most = count - warmup;
    return measure.window != 0 ? std::min(measure.window, most) : most;
}

}  // namespace

TrafficRunner::TrafficRunner(World& world, HostSide& from, HostSide& to, const Traffic& traffic, const Measure& measure)
    : traffic_(traffic),
      from_(from),
      to_(to),
      sender_(world.node(from.host().name).core(traffic_core(traffic))),
      receiver_(world.node(to.host().name).core(traffic_core(traffic))),
      rate_(warmup_of(measure, traffic.count), window_of(measure, traffic.count, warmup_of(measure, traffic.count))),
      warmup_(warmup_of(measure, traffic.count)),
      window_(window_of(measure, traffic.count, warmup_)) {
    largest_ = static_cast<std::uint32_t>(std::max_element(traffic.sizes.begin(), traffic.sizes.end())->count);
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
    const QpHandle& qp = from_.qp(queue_pair_of(traffic_.from));
    send_qp_ = qp.qp;
    send_cq_ = from_.cq(qp.declared->send_cq).cq;
    source_ = &from_.add_buffer("traffic." + traffic_.name + ".source", std::max(1U, largest_), Fill::counter, 0);
}

void TrafficRunner::prepare_receiver() {
    const QpHandle& qp = to_.qp(queue_pair_of(traffic_.to));
    receive_qp_ = qp.qp;
    receive_cq_ = to_.cq(qp.declared->receive_cq).cq;
    sink_ = &to_.add_buffer("traffic." + traffic_.name + ".sink", std::max(1U, largest_), Fill::zero, 0);
    const std::uint64_t ahead = traffic_.receives != 0 ? traffic_.receives : UINT32_MAX;
    for (std::uint64_t i = 0; i < std::min(ahead, traffic_.count) && post_receive(); ++i) {
    }
}

void TrafficRunner::start(Picoseconds at) {
    sender_.wake(at);
    receiver_.wake(at);
}

void TrafficRunner::step_sender() {
    core::Cq& cq = ndk::face<ndk::CqFace>(send_cq_).core;
    bool worked = false;
    if (!sender_.can_store()) {  // a poll may have to tell the NIC of itself
        sender_.stall();
        return;
    }
    if (cq.can_poll()) {
        take_completions(send_cq_->Dispatch->NdkGetCqResults(send_cq_, results_.data(), traffic_.poll_batch));
        worked = true;
    }
    while (failed_ == 0 && posted_ < traffic_.count && posted_ - completed_ < traffic_.window && has_credit() &&
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
        if (!has_credit() && !credits_.empty()) {
            sender_.sleep(credits_.front());
        }
        cq.wait();
    }
}

// With credits, a message is sent only if a receive has been posted for it; the news of one costs nothing. The
// receiver's core may be ahead of the simulation, so a receive counts from its own time on.
bool TrafficRunner::has_credit() {
    while (!credits_.empty() && credits_.front() <= sender_.clock()) {
        credits_.pop();
        ++credited_;
    }
    return !traffic_.credits || posted_ < credited_;
}

bool TrafficRunner::post_send() {
    sgl_.clear();
    std::uint32_t offset = 0;
    const auto entry = [&](std::uint64_t length) {
        NDK_SGE sge{};
        sge.VirtualAddress = source_->memory.data() + offset;
        sge.Length = static_cast<ULONG>(length);
        sge.MemoryRegionToken = source_->token;
        sgl_.push_back(sge);
        offset += static_cast<std::uint32_t>(length);
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
    const Picoseconds begins = wanted_.value_or(sender_.clock());
    if (!sender_.can_store()) {
        wanted_ = begins;
        wait_ = Account::doorbell;
        return false;
    }
    if (wanted_) {
        ndk::face<ndk::QpFace>(send_qp_).core.wanted_at(*wanted_, wait_);
    }
    const NTSTATUS status = send_qp_->Dispatch->NdkSend(send_qp_, nullptr, sgl_.data(), static_cast<ULONG>(sgl_.size()),
                                                        send_flags(posted_));
    if (status == STATUS_NO_MORE_ENTRIES) {
        ++queue_full_;
        wanted_ = begins;
        wait_ = Account::slot;
        return false;
    }
    wanted_.reset();
    ++posted_;
    if (status != STATUS_SUCCESS) {
        ++failed_;
        ++completed_;
        return true;
    }
    awaiting_completion_.push(begins);
    awaiting_delivery_.push(begins);
    return true;
}

ULONG TrafficRunner::send_flags(std::uint64_t message) const {
    const bool signaled = (message + 1) % traffic_.signal_every == 0 || message + 1 == traffic_.count;
    const bool solicited = traffic_.solicit_every != 0 && (message + 1) % traffic_.solicit_every == 0;
    return (signaled ? 0 : NDK_OP_FLAG_SILENT_SUCCESS) | (solicited ? NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT : 0) |
           (traffic_.inlined ? NDK_OP_FLAG_INLINE : 0);
}

void TrafficRunner::take_completions(ULONG count) {
    const Picoseconds at = sender_.clock();
    for (ULONG i = 0; i < count; ++i) {
        failed_ += results_[i].Status == STATUS_SUCCESS ? 0 : 1;
        // A completion says that the silent messages before it are done, too.
        const bool flushed = results_[i].Status == STATUS_CANCELLED;
        std::uint64_t done = flushed ? 1 : traffic_.signal_every - completed_ % traffic_.signal_every;
        done = std::min<std::uint64_t>(done, posted_ - completed_);
        for (; done > 0; --done) {
            const Picoseconds begun = awaiting_completion_.pop();
            if (done == 1 && completed_ >= warmup_ && completed_ < warmup_ + window_) {
                latency_.record(at - begun);
            }
            ++completed_;
        }
    }
}

bool TrafficRunner::post_receive() {
    NDK_SGE sge{};
    sge.VirtualAddress = sink_->memory.data();
    sge.Length = largest_;
    sge.MemoryRegionToken = sink_->token;
    const NTSTATUS status = receive_qp_->Dispatch->NdkReceive(receive_qp_, nullptr, &sge, 1);
    if (status != STATUS_SUCCESS) {
        return false;
    }
    ++receives_posted_;
    if (traffic_.credits) {
        credits_.push(to_.driver().core().clock());
    }
    return true;
}

void TrafficRunner::post_owed_receives() {
    for (; receives_owed_ > 0 && receiver_.can_store(); --receives_owed_) {
        (void)post_receive();
    }
}

void TrafficRunner::step_receiver() {
    core::Cq& cq = ndk::face<ndk::CqFace>(receive_cq_).core;
    post_owed_receives();
    if (!receiver_.can_store()) {
        receiver_.stall();
    } else if (cq.can_poll()) {
        const ULONG count = receive_cq_->Dispatch->NdkGetCqResults(receive_cq_, results_.data(), traffic_.poll_batch);
        take_messages(count);
        // Buffers are posted again to the very end, so that the last messages cost what the others do.
        receives_owed_ = failed_ == 0 ? count : 0;
        post_owed_receives();
        if (!credits_.empty()) {
            sender_.wake(credits_.front());
        }
        receiver_.again();
    } else if (received_ == traffic_.count) {
        receiver_.sleep();
    } else {
        cq.wait();
    }
}

void TrafficRunner::take_messages(ULONG count) {
    const Picoseconds at = receiver_.clock();
    for (ULONG i = 0; i < count; ++i) {
        ++received_;
        if (results_[i].Status != STATUS_SUCCESS) {
            ++failed_;
            continue;
        }
        received_bytes_ += results_[i].BytesTransferred;
        const bool was_warm = rate_.warm();
        const bool was_complete = rate_.measured() == window_;
        rate_.record(at, results_[i].BytesTransferred);
        const Picoseconds begun = awaiting_delivery_.pop();
        if (was_warm && !was_complete) {
            delivery_.record(at - begun);
        }
        if (received_ == std::max<std::uint64_t>(warmup_, 1) && on_warm_) {
            std::exchange(on_warm_, nullptr)();
        }
        if (!was_complete && rate_.measured() == window_ && on_complete_) {
            std::exchange(on_complete_, nullptr)();
        }
    }
}

std::string TrafficRunner::where() const {
    return fmt::format(
        "traffic {}: {} of {} messages posted, {} completed at {}, {} received at {} ({} receives posted)",
        traffic_.name, posted_, traffic_.count, completed_, traffic_.from, received_, traffic_.to, receives_posted_);
}

void TrafficRunner::report(Metrics& metrics) const {
    const std::string prefix = "traffic." + traffic_.name;
    metrics.add(prefix + ".messages", received_, std::nullopt, "messages received");
    metrics.add(prefix + ".bytes", received_bytes_, Quantity::size, "payload received");
    metrics.add(prefix + ".failed", failed_, std::nullopt, "requests that did not succeed");
    metrics.add(prefix + ".queue_full", queue_full_, std::nullopt, "posts that found the send queue full");
    metrics.add(prefix + ".measured", rate_.measured(), std::nullopt, "messages in the measured window");
    // What the sample cannot support is left out.
    if (const auto bytes = rate_.amount_per_second()) {
        metrics.add(prefix + ".goodput", 8 * *bytes, Quantity::rate, "payload received per second");
    }
    if (const auto messages = rate_.events_per_second()) {
        metrics.add(prefix + ".message_rate", *messages, Quantity::frequency, "messages received per second");
    }
    if (const auto interval = rate_.half_interval_ppm()) {
        metrics.add(prefix + ".interval", *interval, Quantity::fraction,
                    "half the 95 % interval of the message rate, by batch means");
    }
    if (const auto steady = rate_.steady()) {
        metrics.add(prefix + ".steady", *steady ? 1 : 0, std::nullopt,
                    "1 if both halves of the window have the same rate within 2 %");
    }
    metrics.add_latency(prefix + ".latency", latency_, "from post to the sender's poll");
    metrics.add_latency(prefix + ".delivery", delivery_, "from post to the receiver's poll");
}

}  // namespace ndsim
