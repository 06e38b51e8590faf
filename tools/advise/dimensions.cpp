// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/dimensions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/proto/cqe.hpp"
#include "models/proto/wqe.hpp"
#include "scenarios/format/connections.hpp"
#include "scenarios/format/shared_receives.hpp"
#include "tools/advise/dimension_list.hpp"
#include "tools/advise/named_dimension.hpp"
#include "tools/cli/alike_hosts.hpp"

namespace ndsim::advise {

namespace {

constexpr std::uint64_t kMostWindow = 32'768;     // of a generator
constexpr std::uint64_t kMostReads = 16;          // of a queue pair [IRD, ORD]
constexpr std::uint64_t kBytesAhead = 4U << 20U;  // more than any path of a few microseconds holds at 400 Gb/s
constexpr std::uint64_t kMostAhead = 256;
constexpr std::uint64_t kLeastAhead = 16;
constexpr std::uint64_t kReadState = 32;  // of a Read at either end: address, key, length, PSN (estimate)

std::uint64_t ahead(const Traffic& traffic) {
    const std::uint64_t size = std::max<std::uint64_t>(1, traffic.largest().count);
    return std::clamp(kBytesAhead / size, kLeastAhead, kMostAhead);
}

// Collects the dimensions of all generators.
class Collector {
public:
    Collector(const Scenario& scenario, const Wanted& wanted, const Scope& scope)
        : scenario_(scenario), wanted_(wanted), scope_(scope), names_(cli::common_names(scenario)) {
        for (const Traffic& traffic : scenario.traffic) {
            add_of(traffic);
        }
        for (const std::string& path : scope.searched()) {
            if (!all_.sets(path)) {
                all_.add(named_dimension(scenario, path));
            }
        }
    }
    [[nodiscard]] Dimensions take() { return {all_.take(), std::move(overrides_), free_.held()}; }

private:
    [[nodiscard]] static std::vector<std::string> of_queue_pairs(const Host& on, const Endpoint& end,
                                                                 const Traffic& traffic, std::string_view parameter) {
        std::vector<std::string> paths;
        for (std::uint32_t n = 0; n < traffic.queue_pairs; ++n) {
            paths.push_back(fmt::format("hosts.{}.qps.{}.{}", on.name, Traffic::queue_pair(end, n).name, parameter));
        }
        return paths;
    }

    void add_of(const Traffic& traffic) {
        const Host& from = host_at(scenario_, traffic.from);
        const Host& to = host_at(scenario_, traffic.to);
        const bool sends = traffic.operation == TrafficOperation::send;
        if (wanted_.speed) {
            add_send_queue(traffic, from);
        }
        if (sends) {
            add_receive_queue(traffic, to);
            add_completion_queues(traffic, to, traffic.to, &QueuePair::receive_cq);
        }
        add_completion_queues(traffic, from, traffic.from, &QueuePair::send_cq);
        if (!wanted_.speed) {
            return;
        }
        const bool is_read = traffic.operation == TrafficOperation::read;
        if (is_read) {
            add_reads(traffic, from, to);
        }
        add_tags(traffic, is_read ? to : from);
        add_chip(from, "WQE cache", "WQEs fetched ahead, of all queue pairs", "nic.wqe_cache",
                 from.node.nic.wqe.wqe_cache, kWqeUnit);
        if (sends) {
            add_chip(to, "RQ prefetch", "receive WQEs fetched ahead, of a queue pair", "nic.rq_prefetch",
                     to.node.nic.wqe.rq_prefetch, kWqeUnit);
        }
    }

    void add_send_queue(const Traffic& traffic, const Host& from) {
        std::vector<Dimension::Setting> settings =
            free_.of(from, "nic.sq.depth", of_queue_pairs(from, traffic.from, traffic, "sq.depth"));
        const std::string window = "traffic." + traffic.name + ".window";
        const std::uint64_t own = queue_pair_at(scenario_, traffic.from).sq.depth;
        if (!scope_.may_change(window)) {
            free_.hold(window);
        } else if (wanted_.fills && traffic.arrivals == ArrivalKind::closed) {
            if (settings.empty()) {
                overrides_.push_back(fmt::format("{}={}", window, std::min(own * traffic.queue_pairs, kMostWindow)));
            } else {
                settings.push_back({window, traffic.queue_pairs, kMostWindow});
            }
        }
        if (Dimension* const queue = all_.named(names_.at(from.name) + " SQ", "requests of a queue pair", settings)) {
            queue->own = own;
            queue->generous = std::max(queue->generous,
                                       wanted_.fills ? ahead(traffic) : std::max<std::uint64_t>(ahead(traffic), own));
            keep_window(*queue, traffic);
            queue->low = std::max<std::uint64_t>(queue->low, traffic.signal_every);  // or no completion ever comes
            queue->host_bytes += kWqeUnit * all_.once(*queue, from);
            queue->counts_messages = true;
            add_payload(*queue, traffic, mean_size(traffic) * traffic.queue_pairs);
        }
    }

    // Without a rate to reach, a shallow queue would only make the requests of a closed loop wait in the application,
    // where no latency counts them.
    void keep_window(Dimension& queue, const Traffic& traffic) const {
        if (!wanted_.rates && traffic.arrivals == ArrivalKind::closed) {
            const std::uint64_t of_each = (traffic.window + traffic.queue_pairs - 1) / traffic.queue_pairs;
            queue.low = std::max(queue.low, std::min(of_each, queue.generous));
        }
    }

    // Receives that the scenario counts are posted whatever the queue could hold, so the queue is left alone.
    void add_receive_queue(const Traffic& traffic, const Host& to) {
        const std::string receives = "traffic." + traffic.name + ".receives";
        if (traffic.receives != 0 && !scope_.may_change(receives)) {
            free_.hold(receives);
            return;
        }
        if (!traffic.srq.name.empty()) {
            add_shared_receives(traffic, to);
            return;
        }
        const QueueParams& queues = to.node.nic.queues;
        const Overflow overflow = effective(queues.overflow, scenario_.profile);
        const bool knows_receives = traffic.credits || overflow == Overflow::credit;
        if (!wanted_.speed && (knows_receives || !may_break(overflow, queues.rnr_retry))) {
            return;
        }
        const QueuePair& qp = queue_pair_at(scenario_, traffic.to);
        std::vector<Dimension::Setting> settings =
            free_.of(to, "nic.rq.depth", of_queue_pairs(to, traffic.to, traffic, "rq.depth"));
        if (traffic.receives != 0 && !settings.empty()) {
            settings.push_back({receives, 1, settings.front().most});
        }
        if (Dimension* const queue = all_.named(names_.at(to.name) + " RQ", "receives of a queue pair", settings)) {
            queue->own = traffic.receives != 0 ? traffic.receives : qp.rq.depth;
            queue->generous = std::max({queue->generous, queue->own, 2 * ahead(traffic)});
            if (traffic.credits) {  // the sender waits for receives, like for room in its queue
                keep_window(*queue, traffic);
            }
            queue->host_bytes += kWqeUnit * all_.once(*queue, to);
            queue->breaks = knows_receives ? queue->breaks : Break::receives;
        }
    }

    // Each generator has a share of the queue. No sender knows of its receives.
    void add_shared_receives(const Traffic& traffic, const Host& to) {
        if (!wanted_.speed && !wanted_.receives) {
            return;
        }
        const SharedReceiveQueue& srq = *std::ranges::find(to.srqs, traffic.srq.name, &SharedReceiveQueue::name);
        const std::string own = fmt::format("hosts.{}.srqs.{}.depth", to.name, srq.name);
        const std::vector<Dimension::Setting> settings = free_.of(to, "nic.srq.depth", {own});
        const bool is_own = !settings.empty() && settings.front().path == own;
        if (Dimension* const queue = all_.named(names_.at(to.name) + (is_own ? " SRQ " + srq.name : " SRQ"),
                                                "receives of a shared queue", settings)) {
            const SharedReceives shared(scenario_, to, srq.name);
            const auto open = std::ranges::count(shared.generators(), 0U, &Traffic::receives);
            std::uint64_t ahead_of_all = 0;
            for (const Traffic* const each : shared.generators()) {
                ahead_of_all += ahead(*each);
            }
            queue->low =
                std::max<std::uint64_t>({queue->low, shared.asked() + static_cast<std::uint64_t>(open), srq.threshold});
            queue->own = srq.depth;
            queue->generous = std::max({queue->generous, queue->own, 2 * ahead_of_all});
            queue->host_bytes += kWqeUnit * all_.once(*queue, to);
            queue->breaks = Break::receives;
        }
    }

    // Without credits a receiver that stays away may end the connection, at once or after too many RNR NAKs.
    [[nodiscard]] bool may_break(Overflow overflow, std::uint32_t rnr_retry) const {
        constexpr std::uint32_t kAnyNumber = 7;
        return wanted_.receives || overflow == Overflow::terminate || rnr_retry != kAnyNumber;
    }

    void add_completion_queues(const Traffic& traffic, const Host& on, const Endpoint& end,
                               std::string QueuePair::*cq) {
        for (std::uint32_t n = 0; n < traffic.queue_pairs; ++n) {
            const std::string& name = queue_pair_at(scenario_, Traffic::queue_pair(end, n)).*cq;
            const std::string own = fmt::format("hosts.{}.cqs.{}.depth", on.name, name);
            const std::vector<Dimension::Setting> settings = free_.of(on, "nic.cq.depth", {own});
            const bool is_own = !settings.empty() && settings.front().path == own;
            if (Dimension* const queue = all_.named(names_.at(on.name) + (is_own ? " CQ " + name : " CQ"),
                                                    "completions of a queue", settings)) {
                queue->own = cq_depth(on, name);
                queue->host_bytes += kCqeSize * all_.once(*queue, on);
                queue->breaks = Break::overrun;
                queue->queues.push_back({on.name, name});
            }
        }
    }

    Dimension* add_chip(const Host& on, const std::string& name, const std::string& sentence, const std::string& path,
                        std::uint64_t own, std::uint64_t bytes) {
        Dimension* const pool = all_.named(names_.at(on.name) + " " + name, sentence,
                                           free_.of(on, path, {"hosts." + on.name + "." + path}));
        if (pool != nullptr) {
            pool->low = range_of(path).low;
            pool->own = own;
            pool->generous =
                scope_.is_searched(pool->settings.front().path) ? generous_of(own, range_of(path).high) : own;
            pool->chip_bytes += bytes * all_.once(*pool, on);
        }
        return pool;
    }

    void add_tags(const Traffic& traffic, const Host& reader) {
        Dimension* const tags = add_chip(reader, "read tags", "PCIe reads outstanding, each with room for its data",
                                         "pcie.tags", reader.node.pcie.tags, reader.node.pcie.mrrs.count);
        if (tags != nullptr) {
            const std::uint64_t each = all_.hosts_of(*tags) * std::min(reader.node.pcie.mrrs.count, mean_size(traffic));
            add_payload(*tags, traffic, std::max(each, tags->payload) - tags->payload);
            tags->latency = 2 * reader.node.pcie.one_way + reader.node.root.llc_read;  // timing.md F3
        }
    }

    // Both ends limit the outstanding Reads of a queue pair.
    void add_reads(const Traffic& traffic, const Host& from, const Host& to) {
        std::vector<Dimension::Setting> settings;
        const std::vector<std::string> out = of_queue_pairs(from, traffic.from, traffic, "outbound_reads");
        const std::vector<std::string> in = of_queue_pairs(to, traffic.to, traffic, "inbound_reads");
        for (std::size_t n = 0; n < out.size(); ++n) {
            for (const std::string& path : {out[n], in[n]}) {
                if (scope_.may_change(path)) {
                    settings.push_back({path, 1, kMostReads});
                } else {
                    free_.hold(path);
                }
            }
        }
        if (Dimension* const reads = all_.named(names_.at(from.name) + " outstanding reads",
                                                "Reads of a queue pair under way (ORD, IRD)", settings)) {
            reads->own = queue_pair_at(scenario_, traffic.from).outbound_reads;
            reads->generous = kMostReads;
            reads->counts_messages = true;
            reads->holds_reads = true;
            add_payload(*reads, traffic, mean_size(traffic) * traffic.queue_pairs);
            reads->chip_bytes += 2 * kReadState * traffic.queue_pairs;
        }
    }

    const Scenario& scenario_;
    Wanted wanted_;
    const Scope& scope_;
    FreeSettings free_{scope_};
    std::map<std::string, std::string> names_;  // of the hosts in the names of dimensions
    DimensionList all_;
    std::vector<std::string> overrides_;
};

}  // namespace

bool Dimensions::windows_follow() const {
    return !overrides.empty() || std::ranges::any_of(all, [](const Dimension& each) {
        return each.settings.size() > 1 && each.settings.back().path.ends_with(".window");
    });
}

Dimensions dimensions_of(const Scenario& scenario, const Wanted& wanted, const Scope& scope) {
    return Collector(scenario, wanted, scope).take();
}

}  // namespace ndsim::advise
