// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/hardware_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "models/host/core.hpp"
#include "models/ledger/stall.hpp"
#include "models/nic/nic.hpp"
#include "models/nic/watches.hpp"
#include "models/parts/cq_watch.hpp"
#include "models/parts/qp_watch.hpp"
#include "models/switch/switch.hpp"
#include "models/transport/transport_params.hpp"
#include "scenarios/format/routes.hpp"
#include "scenarios/result/core_work.hpp"
#include "scenarios/result/pool_share.hpp"
#include "scenarios/result/read_pace.hpp"

namespace ndsim {

namespace {

// Pools that the work-queue engine waits for although their being full is harmless.
struct StallPool {
    Stall stall{};
    const PoolFacts& pool;
};
constexpr std::array kStallPools{StallPool{Stall::psn_window, QpWatch::kPsnWindowPool},
                                 StallPool{Stall::wqe_cache, SendPrefetch::kCachePool},
                                 StallPool{Stall::context, ContextCache::kEntriesPool}};

}  // namespace

HardwareLimits::HardwareLimits(const Scenario& scenario, const LimitShares& shares)
    : scenario_(scenario), shares_(shares), users_(scenario), pair_rates_(scenario, shares) {}

std::vector<Limit> HardwareLimits::take() {
    add_links();
    add_hosts();
    add_generators();
    add_issues();
    const auto order = send_steps();
    bool is_behind_wire = true;
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        const SendStep& step = *at;
        if (step.unit == SendStep::kNetwork) {
            add_switch_pools();
            is_behind_wire = false;
        } else if (step.pool != nullptr) {
            add_pool(step, is_behind_wire);
        }
    }
    add_waits();
    discount_holders(limits_);
    std::vector<Limit> limits;
    for (FoundLimit& found : limits_) {
        limits.push_back(std::move(found.limit));
    }
    return limits;
}

void HardwareLimits::add_links() {
    for (const Link& link : scenario_.links) {
        for (const bool back : {false, true}) {
            const std::string& from = link.between.at(back ? 1 : 0);
            const std::string& to = link.between.at(back ? 0 : 1);
            const std::string lane = lane_name(link, from, to);
            add(
                LimitKind::wire, lane, shares_.of(lane + ".busy"), [&] { return parameter_of(link, "rate"); },
                [&] { return users_.of_lane(lane); });
        }
    }
}

// If a link has all possible lanes, only a higher generation makes it faster.
void HardwareLimits::add_hosts() {
    constexpr std::uint32_t kAllLanes = 16;
    for (const Host& each : scenario_.hosts) {
        const std::string_view faster = each.node.pcie.width < kAllLanes ? "pcie.width" : "pcie.generation";
        for (const bool up : {true, false}) {
            const std::string_view way = up ? "up" : "down";
            add(
                LimitKind::pcie, fmt::format("{}.pcie {}", each.name, way),
                shares_.of(fmt::format("{}.pcie.{}_busy", each.name, way)), [&] { return parameter_of(each, faster); },
                [&] { return users_.of(each, up); });
        }
        const std::string engine = each.name + ".nic.wqe";
        add_of(each, LimitKind::rate, engine, shares_.of(engine, Stall::nic_rate), "nic.global_rate");
        for (const auto& [stall, pool] : kStallPools) {
            add_of(each, engine, shares_.of(engine, stall), pool);
        }
        add_pairs(each);
        add(
            LimitKind::rate, each.name + ".root", shares_.of(each.name + ".root.strict_writes"),
            [&] { return parameter_of(each, "root.strict_write_cap"); }, [&] { return users_.of(each, true); });
        add_of(each, LimitKind::rate, each.name + ".nic.doorbell", shares_.of(each.name + ".nic.doorbell.decoding"),
               "nic.doorbell_decode");
        add_of(each, LimitKind::pool, engine, shares_.of_useful_cut_fetches(each.name + ".nic"), "nic.wqe_fetch_batch");
        if (each.program) {
            add_core(each, each.name + ".cpu", nullptr);
        }
    }
}

void HardwareLimits::add_generators() {
    for (std::size_t i = 0; i < users_.ends().size(); ++i) {
        const Traffic& traffic = scenario_.traffic[i];
        const TrafficEnds& ends = users_.ends()[i];
        if (traffic.operation == TrafficOperation::read) {
            add_reads(traffic, ends);
        }
        add_core(ends.from, ends.from.name + ".cpu_" + traffic.name, &traffic);
        if (traffic.operation == TrafficOperation::send) {
            add_core(ends.to, ends.to.name + ".cpu_" + traffic.name, &traffic);
            add_cq(ends.to, ends.receiver.receive_cq, traffic);
        }
        add_cq(ends.from, ends.sender.send_cq, traffic);
        add_timeouts(traffic, ends.from);
    }
}

void HardwareLimits::add_issues() {
    for (const DmaLoad& load : scenario_.dma) {
        const std::string generator = load.host + ".dma_" + load.name;
        add(
            LimitKind::rate, generator, shares_.of(generator + ".busy"), [&] { return parameter_of(load, "issue"); },
            [&] { return LimitUsers::Names{name_of(load)}; });
    }
}

// Entries wait while their queue seems full. The engine's wait is for all queues, and a queue is full without a wait,
// too.
void HardwareLimits::add_cq(const Host& host, const std::string& cq, const Traffic& traffic) {
    std::string queue = fmt::format("{}.cqs.{}.{}", host.name, watch_name(cq), CqWatch::kEntriesPool.name);
    const std::uint64_t share = std::min(shares_.full(queue), shares_.of(host.name + ".nic.cq.entries"));
    add_for(
        LimitKind::ring, std::move(queue), share, [&] { return depth_of(host, cq); },
        [&] { return LimitUsers::Names{name_of(traffic)}; });
}

// Nothing of a queue pair moves while it waits in vain for an acknowledgement. Without a timeout only NAKs had packets
// sent again.
void HardwareLimits::add_timeouts(const Traffic& traffic, const Host& from) {
    const Picoseconds waits = ack_timeout(from.node.nic.transport.timeout_code) *
                              static_cast<std::int64_t>(shares_.value_of(from.name + ".nic.completer.timeouts"));
    const std::uint64_t share =
        std::min(shares_.of(static_cast<std::uint64_t>(waits.count())), shares_.of_sending_again(traffic));
    add_for(
        LimitKind::pool, from.name + ".nic.completer", share, [&] { return parameter_of(from, "nic.timeout_code"); },
        [&] { return LimitUsers::Names{name_of(traffic)}; });
}

void HardwareLimits::add_reads(const Traffic& traffic, const TrafficEnds& ends) {
    const ReadPace pace = read_pace(scenario_, traffic, ends);
    const WideSum busy =
        WideSum{pair_rates_.largest_of(traffic)} * static_cast<std::uint64_t>(pace.time.count()) / LimitShares::kAll;
    add(
        LimitKind::rate, ends.to.name + ".nic.read_responder", static_cast<std::uint64_t>(busy),
        [&] { return parameter_of(ends.to, pace.parameter); }, [&] { return LimitUsers::Names{name_of(traffic)}; });
}

// The share of time in which the messages of the busiest queue pair keep it from starting another. For programs only
// the time is known in which the engine waited for nothing else.
void HardwareLimits::add_pairs(const Host& host) {
    constexpr std::string_view kParameter = "nic.per_qp_rate";
    const std::string engine = host.name + ".nic.wqe";
    const std::optional<BusiestPair> busiest = pair_rates_.busiest(host);
    if (!busiest) {
        add_of(host, LimitKind::rate, engine, shares_.of(engine, Stall::qp_rate), kParameter);
        return;
    }
    const WideSum share = WideSum{busiest->rate} * LimitShares::kAll / host.node.nic.wqe.per_qp_rate.per_second;
    add(
        LimitKind::rate, engine, static_cast<std::uint64_t>(share), [&] { return parameter_of(host, kParameter); },
        [&] { return busiest->generators; });
}

void HardwareLimits::add_core(const Host& host, const std::string& core, const Traffic* traffic) {
    const CoreWork work = core_work(shares_, host, core, traffic);
    const std::uint64_t share = shares_.of(work.time);
    const auto parameter = [&] {
        return work.parameter == "think_time" ? parameter_of(*traffic, work.parameter)
                                              : parameter_of(host, work.parameter);
    };
    const auto own = [&] { return traffic == nullptr ? LimitUsers::Names{} : LimitUsers::Names{name_of(*traffic)}; };
    if (work.is_of_lock) {
        add_for(LimitKind::core, fmt::format("{}.srqs.{} lock", host.name, traffic->srq.name), share, parameter, own);
    } else {
        add(LimitKind::core, core, share, parameter, own);
    }
}

void HardwareLimits::add_pool(const SendStep& step, bool is_behind_wire) {
    for (const Host& each : scenario_.hosts) {
        const std::size_t known = limits_.size();
        add(
            LimitKind::pool, pool_name(each, step),
            step.pool == &ReadResponses::kBufferPool
                ? share_of_reads(each.name + ".nic", pool_share(shares_, each, step),
                                 shares_.full(pool_name(each, step)))
                : pool_share(shares_, each, step),
            [&] {
                return step.pool == &ReceiveQueues::kAheadPool ? fetched_receives_of(scenario_, each)
                                                               : parameter_of(each, step.pool->parameter);
            },
            [&] { return step.pool == &ReadResponses::kBufferPool ? users_.that_read(each) : users_.of(each); },
            step.pool);
        if (is_behind_wire && limits_.size() > known) {
            limits_.back().limit.behind_wire = users_.that_end_at(each);
        }
    }
}

void HardwareLimits::add_switch_pools() {
    for (const NetworkSwitch& each : scenario_.switches) {
        const std::string buffer = fmt::format("{}.{}", each.name, Switch::kBufferPool.name);
        add(
            LimitKind::pool, buffer, shares_.full(buffer), [&] { return parameter_of(each, "buffer"); },
            [&] { return users_.of(each); });
        for (const Link& link : scenario_.links) {
            const bool is_first = link.between[0] == each.name;
            if (each.params.port_buffer != Bytes{} && (is_first || link.between[1] == each.name)) {
                const std::string& to = link.between.at(is_first ? 1 : 0);
                const std::string queue = fmt::format("{}.{}.{}", each.name, to, SwitchPort::kQueuePool.name);
                add(
                    LimitKind::pool, queue, shares_.full(queue), [&] { return parameter_of(each, "port_buffer"); },
                    [&] { return users_.of_lane(lane_name(link, each.name, to)); });
            }
        }
    }
}

// The work-queue engine waits for one thing at a time. While it waits with the payload of other requests, it does not
// get to the next Read, for which the pool may be full, too.
std::uint64_t HardwareLimits::share_of_reads(const std::string& nic, std::uint64_t waited, std::uint64_t full) const {
    const std::uint64_t hidden = shares_.of(nic + ".wqe", Stall::tx_fifo) + shares_.of(nic + ".wqe", Stall::tags);
    return std::max(waited, std::min(full, waited + hidden));
}

// Waits of the hardware on behalf of a generator.
void HardwareLimits::add_waits() {
    for (std::size_t i = 0; i < users_.ends().size(); ++i) {
        const Traffic& traffic = scenario_.traffic[i];
        const TrafficEnds& ends = users_.ends()[i];
        const auto own = [&] { return LimitUsers::Names{name_of(traffic)}; };
        constexpr const PoolFacts& kStores = Core::kStoreBufferPool;
        const std::string buffer = fmt::format("{}.cpu_{}.{}", ends.from.name, traffic.name, kStores.name);
        add(
            LimitKind::pool, buffer, shares_.full(buffer), [&] { return parameter_of(ends.from, kStores.parameter); },
            own);
        const std::string engine = ends.from.name + ".nic.wqe";
        if (traffic.operation == TrafficOperation::send && !traffic.uses_credits()) {
            add_for(
                LimitKind::ring, ends.receive_queue(),
                shares_.of(engine, Stall::rnr) + shares_.of(engine, Stall::credits),
                [&] { return receives_of(ends, traffic); }, own);
        }
        if (traffic.operation == TrafficOperation::read) {
            // Both ends limit the number of outstanding Reads.
            const bool by_peer = ends.receiver.inbound_reads < ends.sender.outbound_reads;
            const std::uint32_t most = by_peer ? ends.receiver.inbound_reads : ends.sender.outbound_reads;
            const std::string pool =
                fmt::format("{}.qps.{}.{}", ends.from.name, ends.sender.name, QpWatch::kOutboundReadsPool.name);
            const bool are_more = std::min(traffic.window, ends.sender.sq.depth) > most;
            add(
                LimitKind::pool, engine,
                share_of_reads(ends.from.name + ".nic", shares_.of(engine, Stall::read_limit),
                               are_more ? shares_.full(pool) : 0),
                [&] {
                    return by_peer ? parameter_of(ends.to, ends.receiver, "inbound_reads")
                                   : parameter_of(ends.from, ends.sender, "outbound_reads");
                },
                own, &QpWatch::kOutboundReadsPool);
        }
    }
}

}  // namespace ndsim
