// SPDX-License-Identifier: Apache-2.0
#include "tools/advise/dimension.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "models/proto/cqe.hpp"
#include "models/proto/wqe.hpp"
#include "sim/config/params.hpp"
#include "tools/advise/ends.hpp"

namespace ndsim::advise {

namespace {

constexpr std::uint64_t kMostWindow = 32'768;     // of a generator
constexpr std::uint64_t kBytesAhead = 4U << 20U;  // more than any path of a few microseconds holds at 400 Gb/s
constexpr std::uint64_t kMostAhead = 256;
constexpr std::uint64_t kLeastAhead = 16;
constexpr std::uint64_t kReadState = 32;  // of an outstanding Read at either end: address, key, length, PSN (estimate)
constexpr std::uint64_t kRounds = 10;     // windows that a run goes through

struct Range {
    std::uint64_t low = 1;
    std::uint64_t high = 1;
};

std::uint64_t ahead(const Traffic& traffic) {
    const std::uint64_t size = std::max<std::uint64_t>(1, traffic.largest().count);
    return std::clamp(kBytesAhead / size, kLeastAhead, kMostAhead);
}

// What a parameter of a host may be: 1 at least, as a depth of 0 is none.
Range range_of(const std::string& parameter) {
    NodeParams node;
    const std::vector<Param> params = params_of(node, "");
    const Param& param = *std::ranges::find(params, parameter, &Param::path);
    return {std::max<std::uint64_t>(1, std::stoull(param.low())), std::stoull(param.high())};
}

// Collects dimensions; one that several generators share is one.
class Dimensions {
public:
    Dimensions(const Scenario& scenario, bool fill) : scenario_(scenario), fill_(fill) {
        for (const Traffic& traffic : scenario.traffic) {
            add_of(traffic);
        }
    }
    [[nodiscard]] std::vector<Dimension> take() { return std::move(all_); }

private:
    Dimension& dimension(const std::string& name, const std::string& sentence) {
        const auto found = std::ranges::find(all_, name, &Dimension::name);
        return found == all_.end() ? all_.emplace_back(Dimension{name, sentence, {}}) : *found;
    }
    // A parameter of a host.
    static void set_on(const Host& on, Dimension& dimension, const std::string& parameter) {
        const Range range = range_of(parameter);
        set(dimension, fmt::format("hosts.{}.{}", on.name, parameter), 1, range.high);
        dimension.low = std::max(dimension.low, range.low);
    }
    static void set(Dimension& dimension, std::string path, std::uint64_t factor, std::uint64_t most) {
        if (std::ranges::find(dimension.settings, path, &Dimension::Setting::path) == dimension.settings.end()) {
            dimension.settings.push_back({std::move(path), factor, most});
        }
    }

    void add_of(const Traffic& traffic) {
        const Host& from = host_at(scenario_, traffic.from);
        const Host& to = host_at(scenario_, traffic.to);
        add_send_queue(traffic, from);
        if (traffic.operation == TrafficOperation::send) {
            add_queue(to, "RQ", "receives of a queue pair", "nic.rq.depth", to.node.nic.queues.rq.depth,
                      2 * ahead(traffic), kWqeUnit);
            add_queue(to, "CQ", "completions of a queue", "nic.cq.depth", to.node.nic.queues.cq.depth,
                      2 * ahead(traffic), kCqeSize);
        }
        add_queue(from, "CQ", "completions of a queue", "nic.cq.depth", from.node.nic.queues.cq.depth,
                  2 * ahead(traffic) * traffic.queue_pairs, kCqeSize);
        const bool is_read = traffic.operation == TrafficOperation::read;
        if (is_read) {
            add_reads(traffic, from, to);
        }
        add_tags(traffic, is_read ? to : from);
        add_chip(from, "WQE cache", "WQEs fetched ahead, of all queue pairs", "nic.wqe_cache",
                 from.node.nic.wqe.wqe_cache, kWqeUnit);
        if (traffic.operation == TrafficOperation::send) {
            add_chip(to, "RQ prefetch", "receive WQEs fetched ahead, of a queue pair", "nic.rq_prefetch",
                     to.node.nic.wqe.rq_prefetch, kWqeUnit);
        }
    }

    void add_send_queue(const Traffic& traffic, const Host& from) {
        Dimension& queue = dimension(from.name + " SQ", "requests of a queue pair");
        set_on(from, queue, "nic.sq.depth");
        if (fill_ && traffic.arrivals == ArrivalKind::closed) {
            set(queue, "traffic." + traffic.name + ".window", traffic.queue_pairs, kMostWindow);
        }
        queue.own = from.node.nic.queues.sq.depth;
        queue.generous = std::max(queue.generous, fill_ ? ahead(traffic) : std::max(ahead(traffic), queue.own));
        queue.host_bytes = kWqeUnit;
        queue.payload += mean_size(traffic) * traffic.queue_pairs;
    }

    void add_queue(const Host& on, const std::string& name, const std::string& sentence, const std::string& path,
                   std::uint64_t own, std::uint64_t generous, std::uint64_t bytes) {
        Dimension& queue = dimension(on.name + " " + name, sentence);
        set_on(on, queue, path);
        queue.own = own;
        queue.generous = std::max({queue.generous, own, generous});
        queue.host_bytes = bytes;
    }

    Dimension& add_chip(const Host& on, const std::string& name, const std::string& sentence, const std::string& path,
                        std::uint64_t own, std::uint64_t bytes) {
        Dimension& pool = dimension(on.name + " " + name, sentence);
        set_on(on, pool, path);
        pool.own = own;
        pool.generous = own;
        pool.chip_bytes = bytes;
        return pool;
    }

    void add_tags(const Traffic& traffic, const Host& reader) {
        Dimension& tags = add_chip(reader, "read tags", "PCIe reads outstanding, each with room for its data",
                                   "pcie.tags", reader.node.pcie.tags, reader.node.pcie.mrrs.count);
        tags.payload = std::max(tags.payload, std::min(reader.node.pcie.mrrs.count, mean_size(traffic)));
        tags.latency = 2 * reader.node.pcie.one_way + reader.node.root.llc_read;  // timing.md F3
    }

    // Both ends have a word in how many Reads of a queue pair may be outstanding.
    void add_reads(const Traffic& traffic, const Host& from, const Host& to) {
        Dimension& reads = dimension(from.name + " outstanding reads", "Reads of a queue pair under way (ORD, IRD)");
        const std::string ours = traffic.from.substr(traffic.from.find('.') + 1);
        const std::string theirs = traffic.to.substr(traffic.to.find('.') + 1);
        for (std::uint32_t n = 0; n < traffic.queue_pairs; ++n) {
            set(reads, fmt::format("hosts.{}.qps.{}.outbound_reads", from.name, Traffic::queue_pair(ours, n)), 1, 16);
            set(reads, fmt::format("hosts.{}.qps.{}.inbound_reads", to.name, Traffic::queue_pair(theirs, n)), 1, 16);
        }
        reads.own = std::ranges::find(from.qps, ours, &QueuePair::name)->outbound_reads;
        reads.generous = 16;
        reads.holds_reads = true;
        reads.payload += mean_size(traffic) * traffic.queue_pairs;
        reads.chip_bytes += 2 * kReadState * traffic.queue_pairs;
    }

    const Scenario& scenario_;
    bool fill_;
    std::vector<Dimension> all_;
};

}  // namespace

std::uint64_t mean_size(const Traffic& traffic) {
    const std::uint64_t sum = std::accumulate(traffic.sizes.begin(), traffic.sizes.end(), std::uint64_t{0},
                                              [](std::uint64_t all, Bytes each) { return all + each.count; });
    return sum / traffic.sizes.size();
}

std::vector<Dimension> dimensions_of(const Scenario& scenario, bool fill) {
    return Dimensions(scenario, fill).take();
}

std::vector<std::string> overrides_of(const Dimension& dimension, std::uint64_t value) {
    std::vector<std::string> overrides;
    for (const Dimension::Setting& setting : dimension.settings) {
        overrides.push_back(fmt::format("{}={}", setting.path, std::min(value * setting.factor, setting.most)));
    }
    return overrides;
}

// Behind the last post a core only polls, which is faster; so the window ends before that, if all generators have the
// same.
std::vector<std::string> counts_for(const Scenario& scenario, const std::vector<Dimension>& dimensions) {
    std::vector<std::string> overrides;
    std::set<std::uint64_t> windows;
    for (const Traffic& traffic : scenario.traffic) {
        const std::string window = "traffic." + traffic.name + ".window";
        std::uint64_t measured = 0;
        for (const Dimension& dimension : dimensions) {
            const auto setting = std::ranges::find(dimension.settings, window, &Dimension::Setting::path);
            if (setting == dimension.settings.end()) {
                continue;
            }
            const std::uint64_t outstanding = std::min(dimension.generous * setting->factor, setting->most);
            const std::uint64_t count = std::max(kRounds * outstanding, traffic.count);
            if (count > traffic.count) {
                overrides.push_back(fmt::format("traffic.{}.count={}", traffic.name, count));
            }
            const std::uint64_t ends = scenario.measure.warmup.value_or(count / kRounds) + outstanding;
            measured = count > ends ? count - ends : 0;
        }
        windows.insert(measured);
    }
    if (scenario.measure.window == 0 && windows.size() == 1 && *windows.begin() > 0) {
        overrides.push_back(fmt::format("measure.window={}", *windows.begin()));
    }
    return overrides;
}

}  // namespace ndsim::advise
