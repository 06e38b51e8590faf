// SPDX-License-Identifier: Apache-2.0
#include "scenarios/generators/traffic_runner.hpp"

#include <fmt/format.h>

#include "models/nic/nic.hpp"
#include "ndapi/ndk/faces.hpp"

namespace ndsim {

TrafficRunner::TrafficRunner(World& world, HostSide& from, HostSide& to, const Traffic& traffic, const Measure& measure)
    : traffic_(traffic),
      shape_(traffic),
      placing_face_(ndk_face(shape_.is_read() ? from : to)),
      placing_(*world.node((shape_.is_read() ? from : to).host().name).nic),
      figures_(traffic, shape_, measure, [this] { return moved(); }),
      sender_(from, world.node(from.host().name).core(traffic_core(traffic)), traffic, world.scenario().seed, shape_,
              figures_, credits_),
      receiver_(to, world.node(to.host().name).core(traffic_core(traffic)),
                world.node(from.host().name).core(traffic_core(traffic)), traffic, shape_, figures_, credits_) {}

void TrafficRunner::prepare_sender() {
    const Endpoint& placing = shape_.is_read() ? traffic_.from : traffic_.to;
    for (std::uint32_t n = 0; n < traffic_.queue_pairs; ++n) {
        NDK_QP* const qp = placing_face_.qp(Traffic::queue_pair(placing, n).name);
        placing_qps_.push_back(ndk::face<ndk::QpFace>(qp).core.number());
    }
    sender_.prepare();
}

void TrafficRunner::start(Picoseconds at) {
    if (!shape_.is_one_sided()) {
        receiver_.wake(at);
    }
    figures_.begin(at);
    sender_.start(at);
}

bool TrafficRunner::finished() const {
    const bool nothing_out = sender_.completed() == sender_.posted();
    return (sender_.completed() == traffic_.count && figures_.messages() == traffic_.count) ||
           ((figures_.failures() > 0 || receiver_.has_failed()) && nothing_out) || sender_.has_failed();
}

PlacedPayload TrafficRunner::moved() const {
    PlacedPayload all;
    for (const QpNum qp : placing_qps_) {
        all.add(shape_.is_read() ? placing_.read_responses.placed(qp) : placing_.responder.placed(qp));
    }
    return all;
}

std::string TrafficRunner::where() const {
    if (shape_.is_one_sided()) {
        return fmt::format("traffic {}: {} of {} requests posted, {} completed at {}", traffic_.name, sender_.posted(),
                           traffic_.count, sender_.completed(), traffic_.from.text());
    }
    return fmt::format(
        "traffic {}: {} of {} messages posted, {} completed at {}, {} received at {} ({} receives posted)",
        traffic_.name, sender_.posted(), traffic_.count, sender_.completed(), traffic_.from.text(), figures_.messages(),
        traffic_.to.text(), receiver_.posted());
}

}  // namespace ndsim
