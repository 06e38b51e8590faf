// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/pcie_bounds.hpp"

#include <algorithm>
#include <chrono>

#include "scenarios/format/connections.hpp"
#include "sim/base/histogram.hpp"
#include "tools/advise/dimension.hpp"
#include "tools/advise/wire_share.hpp"

namespace ndsim::advise {

namespace {

// The host whose memory holds the payload before the wire, or behind it. A Read's payload goes back to the reader.
const Host& source(const Scenario& scenario, const Traffic& traffic) {
    return host_at(scenario, traffic.operation == TrafficOperation::read ? traffic.to : traffic.from);
}
const Host& destination(const Scenario& scenario, const Traffic& traffic) {
    return host_at(scenario, traffic.operation == TrafficOperation::read ? traffic.from : traffic.to);
}

// The bytes of all sizes on the link. No TLP has the payload of two packets.
std::uint64_t bytes_of(const Scenario& scenario, const Host& host, const Traffic& traffic, Bytes header) {
    const std::uint64_t most = std::min<std::uint64_t>(host.node.pcie.mps.count, path_mtu(scenario, traffic));
    std::uint64_t bytes = 0;
    for (const Bytes size : traffic.sizes) {
        bytes += size.count + ceil_div(size.count, most) * header.count;
    }
    return bytes;
}

// The generator alone, with `bytes` on the link for one message of each size.
void add(Bound& bound, const Traffic& traffic, std::uint64_t bytes, const ExactRate& rate) {
    if (bytes == 0) {
        return;
    }
    constexpr Picoseconds kOneSecond = std::chrono::seconds{1};
    const WideSum rounds = WideSum{static_cast<std::uint64_t>(kOneSecond.count())} * rate.den;
    const WideSum each = WideSum{bytes} * rate.num;
    bound.messages = std::max(bound.messages, static_cast<std::uint64_t>(rounds * traffic.sizes.size() / each));
    bound.rate = std::max(bound.rate, static_cast<std::uint64_t>(rounds * 8 * size_of_all(traffic) / each));
}

}  // namespace

std::vector<Bound> pcie_bounds(const Scenario& scenario, const Host& host) {
    const PcieParams& pcie = host.node.pcie;
    Bound down{host.name + ".pcie down: payload in completions"};
    Bound up{host.name + ".pcie up: payload in writes"};
    down.is_of_all = up.is_of_all = true;
    for (const Traffic& traffic : scenario.traffic) {
        if (!traffic.inlined && &source(scenario, traffic) == &host) {
            add(down, traffic, bytes_of(scenario, host, traffic, pcie.completion_header), pcie.tlp_rate());
        } else {
            down.is_of_all = false;
        }
        if (&destination(scenario, traffic) == &host) {
            add(up, traffic, bytes_of(scenario, host, traffic, pcie.write_header), pcie.tlp_rate());
        } else {
            up.is_of_all = false;
        }
    }
    return {down, up};
}

}  // namespace ndsim::advise
