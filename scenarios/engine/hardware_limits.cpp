// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/hardware_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace ndsim {

HardwareLimits::HardwareLimits(const Scenario& scenario, const LimitShares& shares)
    : scenario_(scenario), shares_(shares) {
    for (const Traffic& traffic : scenario.traffic) {
        ends_.emplace_back(scenario, traffic);
    }
}

std::vector<Limit> HardwareLimits::take() {
    add_links();
    add_hosts();
    add_generators();
    add_pools(kReceiverPools);
    add_switch_pools();
    add_pools(kSenderPools);
    add_waits();
    discount_holders();
    return std::move(limits_);
}

void HardwareLimits::add_links() {
    for (const Link& link : scenario_.links) {
        for (const bool back : {false, true}) {
            const std::string& from = link.between.at(back ? 1 : 0);
            const std::string& to = link.between.at(back ? 0 : 1);
            const std::string lane = fmt::format("{}_{}_to_{}", link.name, from, to);
            add(
                LimitKind::wire, lane, shares_.of(lane + ".busy"), [&] { return parameter_of(link, "rate"); },
                [&] { return users_of_lane(from, to); });
        }
    }
}

// Of a link that has all lanes there are the generation is what can be more.
void HardwareLimits::add_hosts() {
    constexpr std::uint32_t kAllLanes = 16;
    for (const Host& each : scenario_.hosts) {
        const std::string_view faster = each.node.pcie.width < kAllLanes ? "pcie.width" : "pcie.generation";
        for (const bool up : {true, false}) {
            const std::string_view way = up ? "up" : "down";
            add(
                LimitKind::pcie, fmt::format("{}.pcie {}", each.name, way),
                shares_.of(fmt::format("{}.pcie.{}_busy", each.name, way)), [&] { return parameter_of(each, faster); },
                [&] { return users_of(each, up); });
        }
        for (const StallRow& row : kStalls) {
            add_of(each, row.kind, each.name + ".nic.wqe",
                   shares_.of(fmt::format("{}.nic.wqe.{}", each.name, row.stall)), row.parameter);
        }
        add_of(each, LimitKind::rate, each.name + ".nic.wqe", busiest_pair(each), "nic.per_qp_rate");
        add_of(each, LimitKind::rate, each.name + ".nic.doorbell", shares_.of(each.name + ".nic.doorbell.decoding"),
               "nic.doorbell_decode");
        add_of(each, LimitKind::pool, each.name + ".nic.wqe", shares_.of_useful_cut_fetches(each.name + ".nic"),
               "nic.wqe_fetch_batch");
        if (each.program) {
            add_core(each, each.name + ".cpu", nullptr);
        }
    }
}

void HardwareLimits::add_generators() {
    for (std::size_t i = 0; i < ends_.size(); ++i) {
        const Traffic& traffic = scenario_.traffic[i];
        const TrafficEnds& ends = ends_[i];
        if (traffic.operation == TrafficOperation::read) {
            const Picoseconds interval = ends.to.node.nic.transport.read_interval;
            const auto busy = static_cast<std::uint64_t>(
                WideSum{rate_of_pair(traffic)} * static_cast<std::uint64_t>(interval.count()) / LimitShares::kAll);
            add(
                LimitKind::rate, ends.to.name + ".nic.read_responder", busy,
                [&] { return parameter_of(ends.to, "nic.read_interval"); }, [&] { return Names{name_of(traffic)}; });
        }
        add_core(ends.from, ends.from.name + ".cpu_" + traffic.name, &traffic);
        if (traffic.operation == TrafficOperation::send) {
            add_core(ends.to, ends.to.name + ".cpu_" + traffic.name, &traffic);
        }
    }
}

// Messages per second of one of the generator's queue pairs.
std::uint64_t HardwareLimits::rate_of_pair(const Traffic& traffic) const {
    return shares_.value_of("traffic." + traffic.name + ".message_rate") / traffic.queue_pairs;
}

// For how much of the time the messages of the busiest queue pair keep it from starting another one. Of programs it is
// not known what each queue pair did, but how long the engine waited for nothing else.
std::uint64_t HardwareLimits::busiest_pair(const Host& host) const {
    std::map<Endpoint, std::uint64_t> rates;
    for (const Traffic& traffic : scenario_.traffic) {
        if (traffic.from.host == host.name) {
            rates[traffic.from] += rate_of_pair(traffic);
        }
    }
    if (rates.empty()) {
        return shares_.of(host.name + ".nic.wqe.qp_rate");
    }
    std::uint64_t most = 0;
    for (const auto& [qp, rate] : rates) {
        most = std::max(most, rate);
    }
    return static_cast<std::uint64_t>(WideSum{most} * LimitShares::kAll / host.node.nic.wqe.per_qp_rate.per_second);
}

// A core names what it spent most of its time on. That of a program polls whenever it has nothing else to do.
void HardwareLimits::add_core(const Host& host, const std::string& core, const Traffic* traffic) {
    struct Work {
        std::uint64_t time;
        std::string_view parameter;
    };
    const std::uint64_t pushes = shares_.value_of(core + ".push");  // which store has in it
    const std::array<Work, 5> works{{{shares_.value_of(core + ".build"), "cpu.wqe_build"},
                                     {shares_.value_of(core + ".store") - pushes, "cpu.mmio_uc"},
                                     {pushes, "cpu.mmio_wc64"},
                                     {traffic == nullptr ? 0 : shares_.value_of(core + ".poll"), "cpu.poll_cq"},
                                     {traffic == nullptr ? 0 : shares_.value_of(core + ".other"), "think_time"}}};
    std::uint64_t sum = 0;
    for (const Work& work : works) {
        sum += work.time;
    }
    const Work& most = *std::ranges::max_element(works, {}, &Work::time);
    add(
        LimitKind::core, core, shares_.of(sum),
        [&] {
            return most.parameter == "think_time" ? parameter_of(*traffic, most.parameter)
                                                  : parameter_of(host, most.parameter);
        },
        [&] { return traffic == nullptr ? Names{} : Names{name_of(*traffic)}; });
}

void HardwareLimits::add_pools(std::span<const PoolRow> rows) {
    for (const PoolRow& row : rows) {
        for (const Host& each : scenario_.hosts) {
            add_of(each, LimitKind::pool, fmt::format("{}.{}", each.name, row.pool), pool_share(each, row),
                   row.parameter);
        }
    }
}

std::uint64_t HardwareLimits::pool_share(const Host& host, const PoolRow& row) const {
    const std::uint64_t full = shares_.full(fmt::format("{}.{}", host.name, row.pool));
    std::uint64_t beside = 0;
    for (const std::string_view time : row.beside) {
        beside += time.empty() ? 0 : shares_.of(fmt::format("{}.{}", host.name, time));
    }
    switch (row.counts) {
        case PoolCounts::full:
            break;
        case PoolCounts::full_and_idle:
            return full - std::min(full, beside);
        case PoolCounts::waited_for:
            return beside;
        case PoolCounts::reads: {
            // Some requests are kept for each class of reads, so the others wait before the pool is full. Of tags and
            // reads in flight it is the lesser that they wait for.
            const bool tags_bind = host.node.pcie.tags <= host.node.nic.dma.dma_reads_in_flight;
            return row.pool == (tags_bind ? "nic.dma.tags" : "nic.dma.reads_in_flight") ? std::max(full, beside) : full;
        }
    }
    return full;
}

void HardwareLimits::add_switch_pools() {
    for (const NetworkSwitch& each : scenario_.switches) {
        add(
            LimitKind::pool, each.name + ".buffer", shares_.full(each.name + ".buffer"),
            [&] { return parameter_of(each, "buffer"); }, [&] { return all_traffic(); });
        for (const Link& link : scenario_.links) {
            const bool is_first = link.between[0] == each.name;
            if (each.params.port_buffer != Bytes{} && (is_first || link.between[1] == each.name)) {
                const std::string queue = fmt::format("{}.{}.queue", each.name, link.between[is_first ? 1 : 0]);
                add(
                    LimitKind::pool, queue, shares_.full(queue), [&] { return parameter_of(each, "port_buffer"); },
                    [&] { return all_traffic(); });
            }
        }
    }
}

// What the hardware waits for on behalf of a generator.
void HardwareLimits::add_waits() {
    for (std::size_t i = 0; i < ends_.size(); ++i) {
        const Traffic& traffic = scenario_.traffic[i];
        const TrafficEnds& ends = ends_[i];
        const auto own = [&] { return Names{name_of(traffic)}; };
        const std::string buffer = fmt::format("{}.cpu_{}.store_buffer", ends.from.name, traffic.name);
        add(
            LimitKind::pool, buffer, shares_.full(buffer), [&] { return parameter_of(ends.from, "cpu.store_buffer"); },
            own);
        const std::string engine = ends.from.name + ".nic.wqe";
        if (traffic.operation == TrafficOperation::send && !traffic.credits) {
            add(
                LimitKind::ring, ends.receive_queue(), shares_.of(engine + ".rnr") + shares_.of(engine + ".credits"),
                [&] { return receives_of(ends, traffic); }, own);
        }
        if (traffic.operation == TrafficOperation::read) {
            // Both ends have a word in how many Reads may be outstanding.
            add(
                LimitKind::pool, engine, shares_.of(engine + ".read_limit"),
                [&] {
                    return ends.receiver.inbound_reads < ends.sender.outbound_reads
                               ? parameter_of(ends.to, ends.receiver, "inbound_reads")
                               : parameter_of(ends.from, ends.sender, "outbound_reads");
                },
                own);
        }
    }
}

// Counts them as far as what they hold waited for none of the pools inside.
void HardwareLimits::discount_holders() {
    const auto level_of = [](const Limit& limit) {
        const auto row = std::ranges::find_if(
            kHolders, [&](const HolderRow& each) { return limit.parameter.path.ends_with(each.parameter); });
        return row == kHolders.end() ? 0 : row->level;
    };
    for (const int level : {1, 2, 3}) {
        for (Limit& holder : limits_) {
            std::uint64_t inside = 0;
            for (const Limit& limit : limits_) {
                const bool counts =
                    level_of(holder) == level && limit.kind == LimitKind::pool && level_of(limit) < level;
                if (counts &&
                    std::ranges::find_first_of(holder.generators, limit.generators) != holder.generators.end()) {
                    inside = std::max(inside, limit.share_ppm);
                }
            }
            holder.share_ppm =
                holder.share_ppm * (LimitShares::kAll - std::min(inside, LimitShares::kAll)) / LimitShares::kAll;
        }
    }
    std::erase_if(limits_, [](const Limit& limit) { return limit.share_ppm < kLeastLimit; });
}

// The generators for which `uses` holds of their two ends.
template <class Uses>
HardwareLimits::Names HardwareLimits::those_that(const Uses& uses) const {
    Names names;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
        if (uses(ends_[i])) {
            names.push_back(name_of(scenario_.traffic[i]));
        }
    }
    return names;
}

void HardwareLimits::add_transfers(Names& names, const Host& host) const {
    for (const DmaLoad& load : scenario_.dma) {
        if (load.host == host.name) {
            names.push_back(name_of(load));
        }
    }
}

// Those that send from or to a host, or do transfers there.
HardwareLimits::Names HardwareLimits::users_of(const Host& host) const {
    Names names = those_that([&](const TrafficEnds& ends) { return &ends.from == &host || &ends.to == &host; });
    add_transfers(names, host);
    return names;
}

// Those whose data takes this direction of its PCIe. Transfers may go both ways.
HardwareLimits::Names HardwareLimits::users_of(const Host& host, bool up) const {
    Names names = those_that([&](const TrafficEnds& ends) { return &(up ? ends.sink : ends.source) == &host; });
    add_transfers(names, host);
    return names;
}

// The same of a direction of a cable. Between two switches any generator's data may go.
HardwareLimits::Names HardwareLimits::users_of_lane(std::string_view from, std::string_view to) const {
    const auto is_host = [&](std::string_view name) {
        return std::ranges::find(scenario_.hosts, name, &Host::name) != scenario_.hosts.end();
    };
    const bool leaves_host = is_host(from);
    const bool reaches_host = is_host(to);
    return those_that([&](const TrafficEnds& ends) {
        return (!leaves_host || ends.source.name == from) && (!reaches_host || ends.sink.name == to);
    });
}

HardwareLimits::Names HardwareLimits::all_traffic() const {
    return those_that([](const TrafficEnds&) { return true; });
}

}  // namespace ndsim
