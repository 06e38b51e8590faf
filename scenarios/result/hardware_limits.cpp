// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/hardware_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "models/host/core.hpp"
#include "models/ledger/stall.hpp"
#include "models/nic/nic.hpp"
#include "models/parts/qp_watch.hpp"
#include "models/switch/switch.hpp"
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
    : scenario_(scenario), shares_(shares), users_(scenario) {}

std::vector<Limit> HardwareLimits::take() {
    add_links();
    add_hosts();
    add_generators();
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
            const std::string lane = fmt::format("{}_{}_to_{}", link.name, from, to);
            add(
                LimitKind::wire, lane, shares_.of(lane + ".busy"), [&] { return parameter_of(link, "rate"); },
                [&] { return users_.of_lane(from, to); });
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
        add_of(each, LimitKind::rate, engine, busiest_pair(each), "nic.per_qp_rate");
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
        if (!traffic.srq.name.empty()) {
            add_lock(traffic);
        }
        add_core(ends.from, ends.from.name + ".cpu_" + traffic.name, &traffic);
        if (traffic.operation == TrafficOperation::send) {
            add_core(ends.to, ends.to.name + ".cpu_" + traffic.name, &traffic);
        }
    }
}

void HardwareLimits::add_reads(const Traffic& traffic, const TrafficEnds& ends) {
    const ReadPace pace = read_pace(scenario_, traffic, ends);
    const WideSum busy = WideSum{rate_of_pair(traffic, traffic.largest_weight())} *
                         static_cast<std::uint64_t>(pace.time.count()) / LimitShares::kAll;
    add(
        LimitKind::rate, ends.to.name + ".nic.read_responder", static_cast<std::uint64_t>(busy),
        [&] { return parameter_of(ends.to, pace.parameter); }, [&] { return LimitUsers::Names{name_of(traffic)}; });
}

// Messages per second of one of the generator's queue pairs, by its part of all weights.
std::uint64_t HardwareLimits::rate_of_pair(const Traffic& traffic, std::uint64_t weight) const {
    const std::uint64_t rate = shares_.value_of("traffic." + traffic.name + ".message_rate");
    return static_cast<std::uint64_t>(WideSum{rate} * weight / traffic.weight_of_all());
}

// The share of time in which the messages of the busiest queue pair keep it from starting another. For programs only
// the time is known in which the engine waited for nothing else.
std::uint64_t HardwareLimits::busiest_pair(const Host& host) const {
    std::map<Endpoint, std::uint64_t> rates;
    for (const Traffic& traffic : scenario_.traffic) {
        for (std::uint32_t n = 0; traffic.from.host == host.name && n < traffic.queue_pairs; ++n) {
            rates[Traffic::queue_pair(traffic.from, n)] += rate_of_pair(traffic, traffic.weight_of(n));
        }
    }
    if (rates.empty()) {
        return shares_.of(host.name + ".nic.wqe", Stall::qp_rate);
    }
    std::uint64_t most = 0;
    for (const auto& [qp, rate] : rates) {
        most = std::max(most, rate);
    }
    return static_cast<std::uint64_t>(WideSum{most} * LimitShares::kAll / host.node.nic.wqe.per_qp_rate.per_second);
}

void HardwareLimits::add_core(const Host& host, const std::string& core, const Traffic* traffic) {
    const CoreWork work = core_work(shares_, host, core, traffic);
    add(
        LimitKind::core, core, shares_.of(work.time),
        [&] {
            return work.parameter == "think_time" ? parameter_of(*traffic, work.parameter)
                                                  : parameter_of(host, work.parameter);
        },
        [&] { return traffic == nullptr ? LimitUsers::Names{} : LimitUsers::Names{name_of(*traffic)}; });
}

// A shared receive queue takes receives from one core at a time. It is named with the first of its generators.
void HardwareLimits::add_lock(const Traffic& traffic) {
    const Host& host = host_at(scenario_, traffic.to);
    const SharedReceives receives(scenario_, host, traffic.srq.name);
    if (receives.generators().front() != &traffic) {
        return;
    }
    const CoreWork work = lock_work(shares_, host, receives);
    add(
        LimitKind::core, fmt::format("{}.srqs.{} lock", host.name, traffic.srq.name), shares_.of(work.time),
        [&] { return parameter_of(host, work.parameter); },
        [&] {
            LimitUsers::Names names;
            for (const Traffic* const each : receives.generators()) {
                names.push_back(name_of(*each));
            }
            return names;
        });
}

void HardwareLimits::add_pool(const SendStep& step, bool is_behind_wire) {
    for (const Host& each : scenario_.hosts) {
        const std::size_t known = limits_.size();
        add_of(each, pool_name(each, step), pool_share(shares_, each, step), *step.pool);
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
            [&] { return users_.all(); });
        for (const Link& link : scenario_.links) {
            const bool is_first = link.between[0] == each.name;
            if (each.params.port_buffer != Bytes{} && (is_first || link.between[1] == each.name)) {
                const std::string queue =
                    fmt::format("{}.{}.{}", each.name, link.between[is_first ? 1 : 0], SwitchPort::kQueuePool.name);
                add(
                    LimitKind::pool, queue, shares_.full(queue), [&] { return parameter_of(each, "port_buffer"); },
                    [&] { return users_.all(); });
            }
        }
    }
}

// A shared queue is named once, for all generators that waited for it.
void HardwareLimits::add_receive_queue(const Traffic& traffic, const TrafficEnds& ends, std::uint64_t share) {
    const std::string queue = ends.receive_queue();
    const auto known = std::ranges::find_if(limits_, [&](const FoundLimit& each) {
        return each.limit.kind == LimitKind::ring && each.limit.what == queue;
    });
    if (known == limits_.end()) {
        add(
            LimitKind::ring, queue, share, [&] { return receives_of(ends, traffic); },
            [&] { return LimitUsers::Names{name_of(traffic)}; });
    } else if (share >= kLeastLimit) {
        known->limit.share_ppm = std::max(known->limit.share_ppm, std::min(share, LimitShares::kAll));
        known->limit.generators.push_back(name_of(traffic));
    }
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
            add_receive_queue(traffic, ends, shares_.of(engine, Stall::rnr) + shares_.of(engine, Stall::credits));
        }
        if (traffic.operation == TrafficOperation::read) {
            // Both ends limit the number of outstanding Reads.
            add(
                LimitKind::pool, engine, shares_.of(engine, Stall::read_limit),
                [&] {
                    return ends.receiver.inbound_reads < ends.sender.outbound_reads
                               ? parameter_of(ends.to, ends.receiver, "inbound_reads")
                               : parameter_of(ends.from, ends.sender, "outbound_reads");
                },
                own, &QpWatch::kOutboundReadsPool);
        }
    }
}

}  // namespace ndsim
