// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/fixed_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "scenarios/format/connections.hpp"
#include "scenarios/format/shared_receives.hpp"
#include "sim/base/histogram.hpp"
#include "tools/advise/dimension.hpp"
#include "tools/advise/pcie_bounds.hpp"
#include "tools/advise/wire_share.hpp"
#include "tools/cli/alike_hosts.hpp"

namespace ndsim::advise {

namespace {

constexpr Picoseconds kSecond = std::chrono::seconds{1};

// The least time of a generator's core for each message: it builds the WQE, stores once, and polls for a completion.
Picoseconds time_of_core(const CpuParams& cpu, const Traffic& traffic) {
    return cpu.wqe_build + std::min(cpu.mmio_wc64, cpu.mmio_uc) + cpu.poll_cq / traffic.signal_every;
}

// The least time of the receiver's core to ring for a receive: a shared queue has a doorbell for each, another one for
// `repost_batch` of them, unless a record in memory is enough.
Picoseconds time_to_ring(const NodeParams& node, const Traffic& traffic) {
    if (!traffic.srq.name.empty()) {
        return node.cpu.mmio_uc;
    }
    return node.nic.wqe.rq_doorbell == RqDoorbell::record ? Picoseconds{} : node.cpu.mmio_uc / traffic.repost_batch;
}

// Its time for each message: it polls for the completion, builds a receive, and rings.
Picoseconds time_of_receiver(const NodeParams& node, const Traffic& traffic) {
    return node.cpu.poll_cq + node.cpu.wqe_build + time_to_ring(node, traffic);
}

// Messages in a time.
struct Pace {
    WideSum messages;
    Picoseconds time;
};

// The pace of a generator each of whose queue pairs has this one: the busiest one sets the pace of all.
Pace of_all_pairs(const Traffic& traffic, Pace of_each) {
    return {of_each.messages * traffic.weight_of_all(),
            of_each.time * static_cast<std::int64_t>(traffic.largest_weight())};
}

// The payload of so many messages of a generator, in bits.
WideSum bits_of(const Traffic& traffic, WideSum messages) {
    return messages * 8 * size_of_all(traffic) / traffic.sizes.size();
}

// Adds a generator with this pace; without a time there is no bound.
void add(Bound& bound, const Traffic& traffic, const Pace& pace) {
    if (pace.time > Picoseconds{}) {
        const WideSum messages = pace.messages * static_cast<std::uint64_t>(kSecond.count());
        const auto time = static_cast<std::uint64_t>(pace.time.count());
        bound.messages += static_cast<std::uint64_t>(messages / time);
        bound.rate += static_cast<std::uint64_t>(bits_of(traffic, messages) / time);
    }
}

// The least time from one Read of a queue pair to the next at the host that is read. The gap counts for Reads of one
// packet, and matters little for longer ones. Behind a switch a response may be on a faster lane than its path's.
Picoseconds time_of_read(const Scenario& scenario, const Host& host, const Traffic& traffic) {
    const TransportParams& transport = host.node.nic.transport;
    const std::uint32_t mtu = path_mtu(scenario, traffic);
    if (!scenario.switches.empty() || traffic.sizes.size() > 1 || traffic.largest().count > mtu) {
        return transport.read_interval;
    }
    const WideSum bits = WideSum{traffic.largest().count} * 8 * static_cast<std::uint64_t>(kSecond.count());
    const auto on_lane = static_cast<std::int64_t>(bits / payload_rate(scenario, traffic).bits_per_second);
    return std::max(transport.read_interval, Picoseconds{on_lane} + transport.read_gap);
}

// FixedBounds: collects them host by host.
class FixedBounds {
public:
    explicit FixedBounds(const Scenario& scenario) : scenario_(scenario), together_(cli::common_names(scenario)) {}

    [[nodiscard]] std::vector<Bound> take() {
        for (const Traffic& traffic : scenario_.traffic) {
            senders_.insert(traffic.from.host);
            receivers_.insert(traffic.to.host);
        }
        add_lanes();
        add_each([this](const Host& host, const std::string& each) {
            for (Bound bound : pcie_bounds(scenario_, host)) {
                bound.what += each;
                tell(bound);
            }
        });
        add_each([this](const Host& host, const std::string& each) { add_sender(host, each); });
        add_each([this](const Host& host, const std::string& each) { add_receiver(host, each); });
        for (const Host& host : scenario_.hosts) {
            add_reads(host);
        }
        return std::move(bounds_);
    }

private:
    // Hosts that are alike have the same bounds, so only the first is told of.
    template <class Add>
    void add_each(const Add& add_of) const {
        std::set<std::string> told;
        for (const Host& host : scenario_.hosts) {
            const std::string& alike = together_.at(host.name);
            if (told.insert(alike).second) {
                add_of(host, alike == host.name ? "" : " (" + alike + ", each)");
            }
        }
    }

    void add_lanes() {
        std::map<std::string, Bound> lanes;
        for (const Traffic& traffic : scenario_.traffic) {
            const std::string lane = payload_lane(scenario_, traffic);
            const std::uint64_t rate = payload_rate(scenario_, traffic).bits_per_second;
            const WideSum bits = std::max<WideSum>(1, bits_of(traffic, traffic.sizes.size()));
            Bound& bound = lanes.try_emplace(lane, Bound{lane + ": whole messages one behind the other"}).first->second;
            bound.rate = std::max(bound.rate, rate);
            bound.messages =
                std::max(bound.messages, static_cast<std::uint64_t>(WideSum{rate} * traffic.sizes.size() / bits));
        }
        for (auto& [name, lane] : lanes) {
            lane.is_of_all = lanes.size() == 1;
            bounds_.push_back(lane);
        }
    }

    void add_sender(const Host& host, const std::string& each) {
        Bound of_pairs{host.name + ".nic.per_qp_rate of all its queue pairs" + each};
        Bound of_nic{host.name + ".nic.global_rate" + each};
        Bound of_cores{host.name + ".cpu: build, store and poll, on a core for each generator" + each};
        of_pairs.is_of_all = of_nic.is_of_all = of_cores.is_of_all = senders_.size() == 1;
        for (const Traffic& traffic : scenario_.traffic) {
            if (traffic.from.host != host.name) {
                continue;
            }
            add(of_pairs, traffic, of_all_pairs(traffic, {host.node.nic.wqe.per_qp_rate.per_second, kSecond}));
            of_nic.messages = host.node.nic.wqe.global_rate.per_second;
            of_nic.rate = std::max(of_nic.rate, static_cast<std::uint64_t>(bits_of(traffic, of_nic.messages)));
            add(of_cores, traffic, {1, time_of_core(host.node.cpu, traffic)});
        }
        tell(of_pairs);
        tell(of_nic);
        tell(of_cores);
    }

    // Writes and Reads need nothing of the peer's software.
    void add_receiver(const Host& host, const std::string& each) {
        Bound of_cores{host.name + ".cpu: poll, build and ring for receives, on a core for each generator" + each};
        of_cores.is_of_all = receivers_.size() == 1;
        for (const Traffic& traffic : scenario_.traffic) {
            if (traffic.operation != TrafficOperation::send) {
                of_cores.is_of_all = false;
            } else if (traffic.to.host == host.name) {
                add(of_cores, traffic, {1, time_of_receiver(host.node, traffic)});
            }
        }
        tell(of_cores);
        for (const SharedReceiveQueue& srq : host.srqs) {
            add_lock(host, srq, each);
        }
    }

    // Cores post to a shared receive queue one at a time.
    void add_lock(const Host& host, const SharedReceiveQueue& srq, const std::string& each) {
        Bound lock{
            fmt::format("{}.srqs.{}: build and ring for receives, one core at a time{}", host.name, srq.name, each)};
        const std::vector<const Traffic*> sharers = SharedReceives(scenario_, host, srq.name).generators();
        lock.is_of_all = sharers.size() == scenario_.traffic.size();
        const Picoseconds time = host.node.cpu.wqe_build + host.node.cpu.mmio_uc;
        for (const Traffic* const traffic : sharers) {
            Bound alone{lock.what};
            add(alone, *traffic, {1, time});
            lock.messages = alone.messages;
            lock.rate = std::max(lock.rate, alone.rate);
        }
        tell(lock);
    }

    // All Reads of this host together: a queue pair answers one at a time.
    void add_reads(const Host& host) {
        Bound reads{host.name + ".nic.read_interval and read_gap, for the Reads of all queue pairs"};
        reads.is_of_all = true;
        for (const Traffic& traffic : scenario_.traffic) {
            if (traffic.to.host != host.name || traffic.operation != TrafficOperation::read) {
                reads.is_of_all = false;
                continue;
            }
            const Picoseconds time = time_of_read(scenario_, host, traffic);
            if (time == Picoseconds{}) {
                return;
            }
            add(reads, traffic, of_all_pairs(traffic, {1, time}));
        }
        tell(reads);
    }

    void tell(const Bound& bound) {
        if (bound.messages > 0) {
            bounds_.push_back(bound);
        }
    }

    const Scenario& scenario_;
    const std::map<std::string, std::string> together_;  // the common name of hosts that are alike
    std::set<std::string> senders_;
    std::set<std::string> receivers_;
    std::vector<Bound> bounds_;
};

}  // namespace

std::vector<Bound> fixed_bounds(const Scenario& scenario) {
    return FixedBounds(scenario).take();
}

}  // namespace ndsim::advise
