// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scenarios/format/connections.hpp"
#include "sim/base/histogram.hpp"
#include "tools/advise/alike.hpp"
#include "tools/advise/wire_share.hpp"

namespace ndsim::advise {

namespace {

constexpr std::uint64_t kPicosecondsInSecond = 1'000'000'000'000;

// The least time of a generator's core for each message: it builds the WQE, stores once, and polls for a completion.
Picoseconds time_of_core(const CpuParams& cpu, const Traffic& traffic) {
    return cpu.wqe_build + std::min(cpu.mmio_wc64, cpu.mmio_uc) + cpu.poll_cq / traffic.signal_every;
}

// The payload rate of a generator if each of its queue pairs carries a message in this time, which is not 0.
std::uint64_t one_in(Picoseconds time, const Traffic& traffic) {
    const WideSum bits = WideSum{traffic.queue_pairs} * traffic.largest().count * 8 * kPicosecondsInSecond;
    return static_cast<std::uint64_t>(bits / static_cast<std::uint64_t>(time.count()));
}

// The least time from one Read of a queue pair to the next at the host that is read. The gap counts for Reads of one
// packet, and matters little for longer ones. Behind a switch a response may be on a faster lane than its path's.
Picoseconds time_of_read(const Scenario& scenario, const Host& host, const Traffic& traffic) {
    const TransportParams& transport = host.node.nic.transport;
    const std::uint32_t mtu = std::min(host.node.nic.queues.mtu, host_at(scenario, traffic.from).node.nic.queues.mtu);
    if (!scenario.switches.empty() || traffic.sizes.size() > 1 || traffic.largest().count > mtu) {
        return transport.read_interval;
    }
    const WideSum bits = WideSum{traffic.largest().count} * 8 * kPicosecondsInSecond;
    const auto on_lane = static_cast<std::int64_t>(bits / payload_rate(scenario, traffic).bits_per_second);
    return std::max(transport.read_interval, Picoseconds{on_lane} + transport.read_gap);
}

// All Reads of this host together: a queue pair answers one at a time. 0: no bound.
std::uint64_t rate_of_reads(const Scenario& scenario, const Host& host) {
    std::uint64_t rate = 0;
    for (const Traffic& traffic : scenario.traffic) {
        if (traffic.to.host == host.name && traffic.operation == TrafficOperation::read) {
            const Picoseconds time = time_of_read(scenario, host, traffic);
            if (time == Picoseconds{}) {
                return 0;
            }
            rate += one_in(time, traffic);
        }
    }
    return rate;
}

}  // namespace

std::vector<Bound> fixed_bounds(const Scenario& scenario) {
    std::map<std::string, Bound> lanes;
    std::vector<Bound> bounds;
    const std::map<std::string, std::string> together = names_together(scenario);
    std::set<std::string> told;
    std::set<std::string> senders;
    for (const Host& host : scenario.hosts) {
        const std::string& alike = together.at(host.name);
        const bool is_first = told.insert(alike).second;  // of the hosts that are alike; each has these rates
        const std::string of_each = alike == host.name ? "" : " (" + alike + ", each)";
        Bound of_pairs{host.name + ".nic.per_qp_rate of all its queue pairs" + of_each, 0};
        Bound of_nic{host.name + ".nic.global_rate" + of_each, 0};
        Bound of_cores{host.name + ".cpu: build, store and poll, on a core for each generator" + of_each, 0};
        for (const Traffic& traffic : scenario.traffic) {
            if (traffic.from.host == host.name) {
                senders.insert(host.name);
                const std::uint64_t bits = 8 * traffic.largest().count;
                of_pairs.rate += host.node.nic.wqe.per_qp_rate.per_second * traffic.queue_pairs * bits;
                of_nic.rate = std::max(of_nic.rate, host.node.nic.wqe.global_rate.per_second * bits);
                const auto core = static_cast<std::uint64_t>(time_of_core(host.node.cpu, traffic).count());
                of_cores.rate +=
                    core == 0 ? 0 : static_cast<std::uint64_t>(WideSum{bits} * kPicosecondsInSecond / core);
                const std::string lane = payload_lane(scenario, traffic);
                lanes.try_emplace(lane, Bound{lane + ": whole messages one behind the other",
                                              payload_rate(scenario, traffic).bits_per_second});
            }
        }
        if (is_first && of_nic.rate > 0) {
            bounds.push_back(of_pairs);
            bounds.push_back(of_nic);
        }
        if (is_first && of_cores.rate > 0) {
            bounds.push_back(of_cores);
        }
    }
    for (Bound& bound : bounds) {
        bound.is_of_all = senders.size() == 1;
    }
    for (const Host& host : scenario.hosts) {
        const bool is_of_all = std::ranges::all_of(scenario.traffic, [&](const Traffic& traffic) {
            return traffic.to.host == host.name && traffic.operation == TrafficOperation::read;
        });
        if (const std::uint64_t rate = rate_of_reads(scenario, host); rate > 0) {
            bounds.push_back(
                {host.name + ".nic.read_interval and read_gap, for the Reads of all queue pairs", rate, is_of_all});
        }
    }
    for (auto& [name, lane] : lanes) {
        lane.is_of_all = lanes.size() == 1;
        bounds.insert(bounds.begin(), lane);
    }
    return bounds;
}

Picoseconds time_under_way(const Traffic& traffic, std::uint64_t depth, std::uint64_t goodput) {
    if (goodput == 0) {
        return {};
    }
    const WideSum bits = WideSum{depth} * traffic.queue_pairs * mean_size(traffic) * 8;
    return Picoseconds{static_cast<std::int64_t>(bits * kPicosecondsInSecond / goodput)};
}

std::optional<std::uint64_t> little_bound(const Dimension& dimension, std::uint64_t depth, const Alone& alone) {
    const Picoseconds measured = dimension.holds_reads ? alone.read : alone.message;
    const Picoseconds latency = dimension.latency > Picoseconds{0} ? dimension.latency : measured;
    if (dimension.payload == 0 || latency <= Picoseconds{0}) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(WideSum{depth} * dimension.payload * 8 * kPicosecondsInSecond /
                                      static_cast<std::uint64_t>(latency.count()));
}

bool is_bounded(const Dimension& dimension, const std::map<std::uint64_t, Trial>& steps, const Alone& alone) {
    constexpr std::uint64_t kThousand = 1000;  // windows begin and end within a message: a thousandth is allowed
    return std::ranges::all_of(steps, [&](const auto& step) {
        const auto most = little_bound(dimension, step.first, alone);
        return most && WideSum{step.second.goodput_of_all} * kThousand <= WideSum{*most} * (kThousand + 1);
    });
}

}  // namespace ndsim::advise
