// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/read_pace.hpp"

#include <algorithm>
#include <cstdint>

#include "models/proto/message_bytes.hpp"
#include "sim/base/exact_rate.hpp"

namespace ndsim {

namespace {

// The mean time of a Read's responses on the first lane of their way; each host has one link.
Picoseconds time_of_responses(const Scenario& scenario, const Traffic& traffic, const TrafficEnds& ends) {
    const auto link = std::ranges::find_if(scenario.links, [&](const Link& each) {
        return std::ranges::find(each.between, ends.to.name) != each.between.end();
    });
    const std::uint32_t mtu = std::min(ends.from.node.nic.queues.mtu, ends.to.node.nic.queues.mtu);
    std::uint64_t bytes = 0;
    for (const Bytes size : traffic.sizes) {
        bytes += message_wire_bytes(Operation::read_response, static_cast<std::uint32_t>(size.count), mtu,
                                    link->params.framing);
    }
    return ExactRate::per_byte(link->params.rate).time(bytes / traffic.sizes.size());
}

}  // namespace

ReadPace read_pace(const Scenario& scenario, const Traffic& traffic, const TrafficEnds& ends) {
    constexpr int kSmall = 10;
    const TransportParams& transport = ends.to.node.nic.transport;
    const Picoseconds with_gap = time_of_responses(scenario, traffic, ends) + transport.read_gap;
    const bool is_gap = with_gap > transport.read_interval && transport.read_gap * kSmall > with_gap;
    return is_gap ? ReadPace{with_gap, "nic.read_gap"} : ReadPace{transport.read_interval, "nic.read_interval"};
}

}  // namespace ndsim
