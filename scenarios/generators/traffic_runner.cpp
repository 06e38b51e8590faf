// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/traffic_runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/nic/nic.hpp"
#include "ndapi/ndk/faces.hpp"

namespace ndsim {

TrafficRunner::TrafficRunner(World& world, HostSide& from, HostSide& to, const Traffic& traffic, const Measure& measure)
    : traffic_(traffic),
      from_(from),
      to_(to),
      sender_(world.node(from.host().name).core(traffic_core(traffic))),
      receiver_(world.node(to.host().name).core(traffic_core(traffic))),
      placing_(*world.node((is_read() ? from : to).host().name).nic),
      sends_done_(sender_, traffic.poll_batch),
      receives_done_(receiver_, traffic.poll_batch),
      arrivals_(traffic, world.scenario().seed),
      choice_(traffic, world.scenario().seed),
      waits_(sender_, kWaitNames, kWaitSentences),
      measured_(measure, traffic.count),
      latency_(measured_.window()),
      delivery_(measured_.window()) {
    largest_ = static_cast<std::uint32_t>(traffic.largest().count);
    if (!traffic.sgl.empty()) {
        largest_ = size_of(0);
    }
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
    NdkFace& placing = ndk_face(is_read() ? from_ : to_);
    lanes_.resize(traffic_.queue_pairs);
    for (std::uint32_t n = 0; n < lanes_.size(); ++n) {
        const std::string name = Traffic::queue_pair(traffic_.from, n).name;
        lanes_[n].inbox = &sends_done_;
        lanes_[n].qp = ndk_face(from_).qp(name);
        sends_done_.open(ndk_face(from_).cq(from_.qp(name).send_cq));
        NDK_QP* const places = placing.qp(Traffic::queue_pair(is_read() ? traffic_.from : traffic_.to, n).name);
        placing_qps_.push_back(ndk::face<ndk::QpFace>(places).core.number());
    }
    const Touched touched = is_read() ? Touched::by_devices : Touched::by_software;
    source_ = add_memory(from_, ".source", {Fill::counter, 0, touched});
}

TrafficRunner::Memory TrafficRunner::add_memory(HostSide& side, std::string_view suffix,
                                                const BufferContent& content) const {
    const auto name = [&] { return fmt::format("traffic.{}{}", traffic_.name, suffix); };
    const HostBuffer& buffer = side.add_buffer(name(), memory_size(), content);
    return {buffer.memory.data(), ndk_face(side).token(name())};
}

void TrafficRunner::start(Picoseconds at) {
    if (is_one_sided()) {
        remote_ = from_.published({to_.host().name, "traffic." + traffic_.name + ".sink"});
    } else {
        receiver_.wake(at);
    }
    arrivals_.begin(at);
    measured_.begin(at);
    note_moved();
    sender_.wake(at);
}

void TrafficRunner::measure(Picoseconds at, std::uint64_t bytes, Picoseconds begun) {
    received_bytes_ += bytes;
    if (!is_one_sided() && measured_.is_measuring()) {
        delivery_.record(measured_.rate().measured(), at - begun);
    }
    measured_.record(at, bytes);
    note_moved();
}

void TrafficRunner::note_moved() {
    if (measured_.is_at_edge()) {
        const Placed moved = this->moved();
        measured_.moved(moved.bytes, moved.last);
    }
}

Placed TrafficRunner::moved() const {
    Placed all;
    for (const QpNum qp : placing_qps_) {
        all.add(is_read() ? placing_.read_responses.placed(qp) : placing_.responder.placed(qp));
    }
    return all;
}

std::string TrafficRunner::where() const {
    if (is_one_sided()) {
        return fmt::format("traffic {}: {} of {} requests posted, {} completed at {}", traffic_.name, posted_,
                           traffic_.count, completed_, traffic_.from.text());
    }
    return fmt::format(
        "traffic {}: {} of {} messages posted, {} completed at {}, {} received at {} ({} receives posted)",
        traffic_.name, posted_, traffic_.count, completed_, traffic_.from.text(), received_, traffic_.to.text(),
        receives_posted_);
}

void TrafficRunner::report(Metrics& metrics) const {
    const std::string prefix = "traffic." + traffic_.name;
    metrics.add(prefix + ".messages", received_, std::nullopt, "messages received, or written or read");
    metrics.add(prefix + ".bytes", received_bytes_, Quantity::size, "their payload");
    metrics.add(prefix + ".failed", failed_, std::nullopt, "requests that did not succeed");
    metrics.add(prefix + ".queue_full", queue_full_, std::nullopt, "posts that found the send queue full");
    RateWindow rate = measured_.rate();
    if (const Placed moved = this->moved(); !measured_.complete()) {
        rate.cut(moved.bytes, moved.last);
    }
    metrics.add(prefix + ".measured", rate.measured(), std::nullopt, "messages in the measured window");
    // Figures that the sample cannot support are left out.
    metrics.add_rate(prefix + ".goodput", rate.amount_per_second(), "payload received per second");
    metrics.add(prefix + ".message_rate", rate.events_per_second(), Quantity::frequency,
                "messages received per second");
    measured_.report_trust(metrics, prefix, "message rate");
    latency_.report(metrics, prefix + ".latency", "from post to the sender's poll");
    if (!is_one_sided()) {
        delivery_.report(metrics, prefix + ".delivery", "from post to the receiver's poll");
    }
}

}  // namespace ndsim
