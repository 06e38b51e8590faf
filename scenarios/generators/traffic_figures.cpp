// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/traffic_figures.hpp"

namespace ndsim {

TrafficFigures::TrafficFigures(const Traffic& traffic, const TrafficShape& shape, const Measure& measure,
                               std::function<PlacedPayload()> moved)
    : traffic_(traffic),
      shape_(shape),
      moved_(std::move(moved)),
      awaiting_delivery_(shape.is_one_sided() ? 0 : traffic.queue_pairs),
      measured_(measure, traffic.count),
      latency_(measured_.window()),
      delivery_(measured_.window()) {}

void TrafficFigures::begin(Picoseconds at) {
    measured_.begin(at);
    note_moved();
}

void TrafficFigures::posted(std::size_t queue_pair, Picoseconds begun) {
    if (!shape_.is_one_sided()) {
        awaiting_delivery_[queue_pair].push(begun);
    }
}

void TrafficFigures::received(std::size_t queue_pair, Picoseconds polled_at, Picoseconds at, std::uint64_t bytes) {
    const Picoseconds begun = awaiting_delivery_[queue_pair].pop();
    if (measured_.is_measuring()) {
        delivery_.record(measured_.rate().measured(), polled_at - begun);
    }
    measure(at, bytes);
}

void TrafficFigures::completed(Picoseconds at, std::uint64_t number) {
    if (shape_.is_one_sided()) {
        measure(at, shape_.size_of(number));
    }
}

void TrafficFigures::took(std::uint64_t number, Picoseconds span) {
    if (number >= measured_.warmup() && number < measured_.warmup() + measured_.window()) {
        latency_.record(number - measured_.warmup(), span);
    }
}

void TrafficFigures::measure(Picoseconds at, std::uint64_t bytes) {
    received_bytes_ += bytes;
    measured_.record(at, bytes);
    note_moved();
    if (on_message_) {
        on_message_();
    }
}

void TrafficFigures::note_moved() {
    if (measured_.is_at_edge()) {
        const PlacedPayload moved = moved_();
        measured_.moved(moved.bytes, moved.last);
    }
}

// In an open loop the rate is that of the arrivals, as long as they are served.
std::optional<bool> TrafficFigures::is_steady() const {
    if (traffic_.arrivals == ArrivalKind::closed) {
        return measured_.rate().steady();
    }
    const std::optional<bool> stay = latency_.stay();
    return stay ? std::optional(*stay && measured_.rate().keeps_up()) : std::nullopt;
}

void TrafficFigures::report(Metrics& metrics) const {
    const std::string prefix = "traffic." + traffic_.name;
    metrics.add(prefix + ".messages", received_, std::nullopt, "messages received, or written or read");
    metrics.add(prefix + ".bytes", received_bytes_, Quantity::size, "their payload");
    metrics.add(prefix + ".failed", failed_, std::nullopt,
                "requests of both sides that did not succeed, receives included");
    metrics.add(prefix + ".queue_full", queue_full_, std::nullopt, "posts that found the send queue full");
    RateWindow rate = measured_.rate();
    if (const PlacedPayload moved = moved_(); !measured_.complete()) {
        rate.cut(moved.bytes, moved.last);
    }
    metrics.add(prefix + ".measured", rate.measured(), std::nullopt, "messages in the measured window");
    // Figures that the sample cannot support are left out.
    metrics.add_rate(prefix + ".goodput", rate.amount_per_second(), "payload received per second");
    metrics.add(prefix + ".message_rate", rate.events_per_second(), Quantity::frequency,
                "messages received per second");
    metrics.add_rate(prefix + ".polled", measured_.complete() ? rate.reported_per_second() : std::nullopt,
                     "payload of the messages polled per second: less than goodput if polls fall behind");
    measured_.report_trust(metrics, prefix, "message rate", is_steady());
    const bool is_closed = traffic_.arrivals == ArrivalKind::closed;
    latency_.report(metrics, prefix + ".latency",
                    is_closed ? "from post to the sender's poll" : "from arrival to the sender's poll");
    if (!shape_.is_one_sided()) {
        delivery_.report(metrics, prefix + ".delivery",
                         is_closed ? "from post to the receiver's poll" : "from arrival to the receiver's poll");
    }
}

}  // namespace ndsim
