// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/wire_share.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/proto/segment.hpp"
#include "sim/base/histogram.hpp"
#include "tools/advise/ends.hpp"

namespace ndsim::advise {

namespace {

const Link& link_of(const Scenario& scenario, const Traffic& traffic) {
    const std::string from = host_of(traffic.from);
    return *std::ranges::find_if(scenario.links,
                                 [&](const Link& link) { return link.between[0] == from || link.between[1] == from; });
}

Operation payload_operation(TrafficOperation operation) {
    switch (operation) {
        case TrafficOperation::send:
            return Operation::send;
        case TrafficOperation::write:
            return Operation::write;
        case TrafficOperation::read:
            break;
    }
    return Operation::read_response;
}

// All bytes that a message occupies on the lane.
std::uint64_t lane_bytes(Operation operation, std::uint32_t size, std::uint32_t mtu, Framing framing) {
    const std::uint32_t packets = packet_count(size, mtu);
    std::uint64_t bytes = 0;
    for (std::uint32_t packet = 0; packet < packets; ++packet) {
        const Opcode opcode = packet_opcode(operation, packet == 0, packet + 1 == packets);
        bytes += wire_bytes(packet_bytes(size, packet * mtu, mtu), info(opcode).extra_bytes, framing).count;
    }
    return bytes;
}

}  // namespace

Bandwidth payload_rate(const Scenario& scenario, const Traffic& traffic) {
    const std::uint32_t mtu = std::min(host_at(scenario, traffic.from).node.nic.queues.mtu,
                                       host_at(scenario, traffic.to).node.nic.queues.mtu);
    const LinkParams& link = link_of(scenario, traffic).params;
    std::uint64_t payload = 0;
    std::uint64_t lane = 0;
    for (const Bytes size : traffic.sizes) {
        payload += size.count;
        lane +=
            lane_bytes(payload_operation(traffic.operation), static_cast<std::uint32_t>(size.count), mtu, link.framing);
    }
    return {static_cast<std::uint64_t>(WideSum{link.rate.bits_per_second} * payload / lane)};
}

std::string payload_lane(const Scenario& scenario, const Traffic& traffic) {
    const bool is_read = traffic.operation == TrafficOperation::read;
    const std::string& from = is_read ? traffic.to : traffic.from;
    const std::string& to = is_read ? traffic.from : traffic.to;
    return fmt::format("{}_{}_to_{}", link_of(scenario, traffic).name, host_of(from), host_of(to));
}

}  // namespace ndsim::advise
