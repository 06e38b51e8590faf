// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "scenarios/engine/limit_rows.hpp"
#include "sim/base/histogram.hpp"

namespace ndsim {

namespace {

constexpr std::uint64_t kAll = 1'000'000;
constexpr std::uint64_t kSaturated = 900'000;  // a server that works so much is what bound
constexpr std::uint64_t kBinding = 100'000;    // what was full for so long bound, if no server did
constexpr std::uint64_t kLeast = 10'000;       // less is not worth a word
constexpr std::uint64_t kAlike = 50'000;       // of what was full for about as long, the one further along comes first

bool is_server(LimitKind kind) {
    return kind == LimitKind::wire || kind == LimitKind::pcie || kind == LimitKind::rate || kind == LimitKind::core;
}
bool is_saturated(const Limit& limit) {
    return is_server(limit.kind) && limit.share_ppm >= kSaturated;
}

// Collects what limited the hardware first, and then what made the generators wait: that counts only as far as no
// hardware explains it.
class LimitSearch {
public:
    LimitSearch(const Scenario& scenario, const Metrics& metrics)
        : scenario_(scenario), metrics_(metrics), measured_(value_of("run.measured")) {}

    [[nodiscard]] std::vector<Limit> take() {
        add_servers();
        add_pools();
        explained_ = 0;
        for (const Limit& limit : limits_) {
            if (!is_server(limit.kind) || is_saturated(limit)) {
                explained_ = std::max(explained_, limit.share_ppm);
            }
        }
        for (const Traffic& traffic : scenario_.traffic) {
            add_waits(traffic);
        }
        for (const DmaLoad& load : scenario_.dma) {
            add(LimitKind::window, "dma " + load.name,
                unexplained(full(load.host + ".dma_" + load.name + ".in_flight")),
                [&] { return parameter_of(load, "in_flight"); });
        }
        rank();
        return std::move(limits_);
    }

private:
    void add_servers();
    void add_core(const Host& host, const std::string& core, const Traffic* traffic);
    [[nodiscard]] std::uint64_t busiest_pair(const Host& host) const;
    // For how much of the time the messages of one of the generator's queue pairs keep what takes `each` for one.
    [[nodiscard]] std::uint64_t kept_busy(const Traffic& traffic, Picoseconds each) const {
        return static_cast<std::uint64_t>(WideSum{rate_of_pair(traffic)} * static_cast<std::uint64_t>(each.count()) /
                                          kAll);
    }
    // Messages per second of one of the generator's queue pairs.
    [[nodiscard]] std::uint64_t rate_of_pair(const Traffic& traffic) const {
        return value_of("traffic." + traffic.name + ".message_rate") / traffic.queue_pairs;
    }
    void add_pools();
    void add_pools(std::span<const PoolRow> rows);
    void add_switch_pools();
    void add_waits(const Traffic& traffic);
    void rank();

    template <class Parameter>
    void add(LimitKind kind, std::string what, std::uint64_t share_ppm, const Parameter& parameter) {
        if (share_ppm >= kLeast) {
            limits_.push_back({kind, std::move(what), share_ppm, false, parameter()});
        }
    }

    [[nodiscard]] std::uint64_t value_of(const std::string& name) const {
        const Metric* const metric = metrics_.find(name);
        return metric == nullptr ? 0 : metric->value;
    }
    // A time as a share of what was measured.
    [[nodiscard]] std::uint64_t share(std::uint64_t time) const {
        return measured_ == 0 ? 0 : static_cast<std::uint64_t>(WideSum{time} * kAll / measured_);
    }
    [[nodiscard]] std::uint64_t share_of(const std::string& name) const { return share(value_of(name)); }
    [[nodiscard]] std::uint64_t full(const std::string& pool) const { return value_of(pool + ".full"); }
    [[nodiscard]] std::uint64_t reads_blocked(const Host& host, std::string_view pool) const;
    [[nodiscard]] std::uint64_t unexplained(std::uint64_t share_ppm) const {
        return share_ppm * (kAll - std::min(explained_, kAll)) / kAll;
    }
    [[nodiscard]] const Host& host(std::string_view endpoint) const {
        return *std::ranges::find(scenario_.hosts, endpoint.substr(0, endpoint.find('.')), &Host::name);
    }
    [[nodiscard]] static const QueuePair& queue_pair(const Host& host, std::string_view endpoint) {
        return *std::ranges::find(host.qps, endpoint.substr(endpoint.find('.') + 1), &QueuePair::name);
    }
    [[nodiscard]] static LimitParameter receives_of(const Host& to, const Traffic& traffic) {
        return traffic.receives != 0 ? parameter_of(traffic, "receives")
                                     : parameter_of(to, queue_pair(to, traffic.to), "rq.depth");
    }

    const Scenario& scenario_;
    const Metrics& metrics_;
    std::uint64_t measured_;
    std::uint64_t explained_ = 0;  // the largest share of what holds up whoever waits
    std::vector<Limit> limits_;
};

void LimitSearch::add_servers() {
    for (const Link& link : scenario_.links) {
        for (const auto& [from, to] : {std::pair{0, 1}, std::pair{1, 0}}) {
            const std::string lane =
                fmt::format("{}_{}_to_{}", link.name, link.between.at(static_cast<std::size_t>(from)),
                            link.between.at(static_cast<std::size_t>(to)));
            add(LimitKind::wire, lane, share_of(lane + ".busy"), [&] { return parameter_of(link, "rate"); });
        }
    }
    for (const Host& each : scenario_.hosts) {
        for (const std::string_view way : {"up", "down"}) {
            add(LimitKind::pcie, fmt::format("{}.pcie {}", each.name, way),
                share_of(fmt::format("{}.pcie.{}_busy", each.name, way)),
                [&] { return parameter_of(each, "pcie.width"); });
        }
        for (const StallRow& row : kStalls) {
            add(row.kind, each.name + ".nic.wqe", share_of(fmt::format("{}.nic.wqe.{}", each.name, row.stall)),
                [&] { return parameter_of(each, row.parameter); });
        }
        add(LimitKind::rate, each.name + ".nic.wqe", busiest_pair(each),
            [&] { return parameter_of(each, "nic.per_qp_rate"); });
        if (each.program) {
            add_core(each, each.name + ".cpu", nullptr);
        }
    }
    for (const Traffic& traffic : scenario_.traffic) {
        if (traffic.operation == TrafficOperation::read) {
            const Host& to = host(traffic.to);
            add(LimitKind::rate, to.name + ".nic.read_responder",
                kept_busy(traffic, to.node.nic.transport.read_interval),
                [&] { return parameter_of(to, "nic.read_interval"); });
        }
        add_core(host(traffic.from), host(traffic.from).name + ".cpu_" + traffic.name, &traffic);
        if (traffic.operation == TrafficOperation::send) {
            add_core(host(traffic.to), host(traffic.to).name + ".cpu_" + traffic.name, &traffic);
        }
    }
}

// For how much of the time the messages of the busiest queue pair keep it from starting another one. Of programs it is
// not known what each queue pair did, but how long the engine waited for nothing else.
std::uint64_t LimitSearch::busiest_pair(const Host& host) const {
    std::map<std::string, std::uint64_t> rates;
    for (const Traffic& traffic : scenario_.traffic) {
        if (traffic.from.starts_with(host.name + ".")) {
            rates[traffic.from] += rate_of_pair(traffic);
        }
    }
    if (rates.empty()) {
        return share_of(host.name + ".nic.wqe.qp_rate");
    }
    std::uint64_t most = 0;
    for (const auto& [qp, rate] : rates) {
        most = std::max(most, rate);
    }
    return static_cast<std::uint64_t>(WideSum{most} * kAll / host.node.nic.wqe.per_qp_rate.per_second);
}

// A core names what it spent most of its time on. That of a program polls whenever it has nothing else to do.
void LimitSearch::add_core(const Host& host, const std::string& core, const Traffic* traffic) {
    struct Work {
        std::uint64_t time;
        std::string_view parameter;
    };
    const std::uint64_t pushes = value_of(core + ".push");  // which store has in it
    const std::array<Work, 5> works{{{value_of(core + ".build"), "cpu.wqe_build"},
                                     {value_of(core + ".store") - pushes, "cpu.mmio_uc"},
                                     {pushes, "cpu.mmio_wc64"},
                                     {traffic == nullptr ? 0 : value_of(core + ".poll"), "cpu.poll_cq"},
                                     {traffic == nullptr ? 0 : value_of(core + ".other"), "think_time"}}};
    std::uint64_t sum = 0;
    for (const Work& work : works) {
        sum += work.time;
    }
    const Work& most = *std::ranges::max_element(works, {}, &Work::time);
    add(LimitKind::core, core, share(sum), [&] {
        return most.parameter == "think_time" ? parameter_of(*traffic, most.parameter)
                                              : parameter_of(host, most.parameter);
    });
}

// Some requests are kept for each class of reads, so the others wait before the pool is full. Of tags and reads in
// flight it is the lesser that they wait for.
std::uint64_t LimitSearch::reads_blocked(const Host& host, std::string_view pool) const {
    const bool tags_bind = host.node.pcie.tags <= host.node.nic.dma.dma_reads_in_flight;
    return pool == (tags_bind ? "nic.dma.tags" : "nic.dma.reads_in_flight")
               ? share_of(host.name + ".nic.dma.reads_blocked")
               : 0;
}

void LimitSearch::add_pools(std::span<const PoolRow> rows) {
    for (const PoolRow& row : rows) {
        for (const Host& each : scenario_.hosts) {
            const std::string pool = fmt::format("{}.{}", each.name, row.pool);
            add(LimitKind::pool, pool, std::max(full(pool), reads_blocked(each, row.pool)),
                [&] { return parameter_of(each, row.parameter); });
        }
    }
}

void LimitSearch::add_switch_pools() {
    for (const NetworkSwitch& each : scenario_.switches) {
        add(LimitKind::pool, each.name + ".buffer", full(each.name + ".buffer"),
            [&] { return parameter_of(each, "buffer"); });
        for (const Link& link : scenario_.links) {
            const bool is_first = link.between[0] == each.name;
            if (each.params.port_buffer != Bytes{} && (is_first || link.between[1] == each.name)) {
                const std::string queue = fmt::format("{}.{}.queue", each.name, link.between[is_first ? 1 : 0]);
                add(LimitKind::pool, queue, full(queue), [&] { return parameter_of(each, "port_buffer"); });
            }
        }
    }
}

void LimitSearch::add_pools() {
    add_pools(kReceiverPools);
    add_switch_pools();
    add_pools(kSenderPools);
    for (const Traffic& traffic : scenario_.traffic) {
        const Host& from = host(traffic.from);
        const Host& to = host(traffic.to);
        const std::string buffer = from.name + ".cpu_" + traffic.name + ".store_buffer";
        add(LimitKind::pool, buffer, full(buffer), [&] { return parameter_of(from, "cpu.store_buffer"); });
        if (traffic.operation == TrafficOperation::send && !traffic.credits) {
            const std::string engine = from.name + ".nic.wqe.";
            add(LimitKind::ring, fmt::format("{}.qps.{}.rq", to.name, queue_pair(to, traffic.to).name),
                share_of(engine + "rnr") + share_of(engine + "credits"), [&] { return receives_of(to, traffic); });
        }
        if (traffic.operation == TrafficOperation::read) {
            // Both ends have a word in how many Reads may be outstanding.
            add(LimitKind::pool, from.name + ".nic.wqe", share_of(from.name + ".nic.wqe.read_limit"), [&] {
                const QueuePair& qp = queue_pair(from, traffic.from);
                const QueuePair& peer = queue_pair(to, traffic.to);
                return peer.inbound_reads < qp.outbound_reads ? parameter_of(to, peer, "inbound_reads")
                                                              : parameter_of(from, qp, "outbound_reads");
            });
        }
    }
}

void LimitSearch::add_waits(const Traffic& traffic) {
    const Host& from = host(traffic.from);
    const Host& to = host(traffic.to);
    const std::string core = from.name + ".cpu_" + traffic.name;
    const std::string& sender = queue_pair(from, traffic.from).name;
    const auto add_wait = [&](LimitKind kind, std::string what, std::string_view wait, const auto& parameter) {
        add(kind, std::move(what), unexplained(share_of(fmt::format("{}.{}", core, wait))), parameter);
    };
    add_wait(LimitKind::ring, fmt::format("{}.qps.{}.rq", to.name, queue_pair(to, traffic.to).name), "no_receive",
             [&] { return receives_of(to, traffic); });
    add_wait(LimitKind::signalling, fmt::format("{}.qps.{}.sq", from.name, sender), "unsignaled",
             [&] { return parameter_of(traffic, "signal_every"); });
    add_wait(LimitKind::ring, fmt::format("{}.qps.{}.sq", from.name, sender), "queue_full",
             [&] { return parameter_of(from, queue_pair(from, traffic.from), "sq.depth"); });
    add_wait(LimitKind::window, "traffic " + traffic.name, "window_full",
             [&] { return parameter_of(traffic, "window"); });
}

// The order within a class is that of the lists above, if the shares do not decide.
void LimitSearch::rank() {
    const auto order_of = [](const Limit& limit) {
        const std::uint64_t steps = limit.share_ppm / (is_server(limit.kind) ? 1 : kAlike);
        const int place = is_saturated(limit) ? 0 : is_server(limit.kind) ? 2 : 1;
        return std::pair{place, kAll - steps};
    };
    std::ranges::stable_sort(limits_, {}, order_of);
    const bool saturated = !limits_.empty() && is_saturated(limits_.front());
    for (Limit& limit : limits_) {
        limit.binds = saturated ? is_saturated(limit) : !is_server(limit.kind) && limit.share_ppm >= kBinding;
    }
}

}  // namespace

std::vector<Limit> limits_of(const Scenario& scenario, const Metrics& metrics) {
    return LimitSearch(scenario, metrics).take();
}

}  // namespace ndsim
