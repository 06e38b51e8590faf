// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

#include "scenarios/format/connections.hpp"
#include "scenarios/format/scenario.hpp"

namespace ndsim {

// The names of their windows among the limits.
[[nodiscard]] inline std::string name_of(const Traffic& traffic) {
    return "traffic " + traffic.name;
}
[[nodiscard]] inline std::string name_of(const DmaLoad& load) {
    return "dma " + load.name;
}

// The two ends of a generator.
struct TrafficEnds {
    TrafficEnds(const Scenario& scenario, const Traffic& traffic)
        : from(host_at(scenario, traffic.from)),
          to(host_at(scenario, traffic.to)),
          sender(queue_pair_at(scenario, traffic.from)),
          receiver(queue_pair_at(scenario, traffic.to)),
          source(traffic.operation == TrafficOperation::read ? to : from),
          sink(traffic.operation == TrafficOperation::read ? from : to) {}

    // The names in their metrics.
    [[nodiscard]] std::string send_queue() const { return fmt::format("{}.qps.{}.sq", from.name, sender.name); }
    [[nodiscard]] std::string receive_queue() const {
        return receiver.srq.empty() ? fmt::format("{}.qps.{}.rq", to.name, receiver.name)
                                    : fmt::format("{}.srqs.{}.srq", to.name, receiver.srq);
    }

    const Host& from;
    const Host& to;
    const QueuePair& sender;
    const QueuePair& receiver;
    const Host& source;  // of its data
    const Host& sink;
};

}  // namespace ndsim
