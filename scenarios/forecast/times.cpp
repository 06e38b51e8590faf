// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/times.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <type_traits>

namespace ndsim::forecast {

namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMostBytes = 64ULL << 20U;  // most bytes of all programs for which times are given
constexpr std::uint64_t kMostRequests = 100'000;

std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {
    return a > kMost - b ? kMost : a + b;
}
Picoseconds saturated_sum(Picoseconds a, Picoseconds b) {
    return a > kForEver - b ? kForEver : a + b;
}
Picoseconds saturated_product(std::uint64_t n, Picoseconds span) {
    const auto most = static_cast<std::uint64_t>(kForEver.count());
    return Picoseconds{static_cast<std::int64_t>(
        std::min(most, forecast::saturated_product(n, static_cast<std::uint64_t>(span.count()))))};
}

std::uint64_t length_of(const PostOp& post) {
    std::uint64_t sum = 0;
    for (const Piece& piece : post.pieces) {
        sum += piece.size.count;
    }
    return sum;
}

// The bits per second that surely pass.
std::uint64_t slowest_rate(const Scenario& scenario) {
    std::uint64_t rate = kMost;
    for (const Link& link : scenario.links) {
        rate = std::min(rate, link.params.rate.bits_per_second);
    }
    for (const Host& host : scenario.hosts) {
        const PcieParams& pcie = host.node.pcie;
        rate = std::min(rate, (std::uint64_t{1'000'000'000} << (pcie.generation - 3)) * pcie.width);
        if (const std::uint64_t cap = host.node.root.strict_write_cap.bits_per_second; cap != 0) {
            rate = std::min(rate, cap);
        }
    }
    return rate;
}

// Whether a fault holds up its software or its PCIe link.
bool is_held_up(const Scenario& scenario, const Host& host) {
    const auto touches = [&](const Fault& fault) {
        return (fault.kind == FaultKind::stall || fault.kind == FaultKind::freeze) && fault.target == host.name;
    };
    const auto drives = [&](const Traffic& traffic) {
        return traffic.from.host == host.name || traffic.to.host == host.name;
    };
    const auto loads = [&](const DmaLoad& load) { return load.host == host.name; };
    return host.api == Api::wsd || host.node.cpu.preempt_every > Picoseconds{} ||
           host.node.cpu.poll_jitter > Picoseconds{} || std::ranges::any_of(scenario.faults, touches) ||
           std::ranges::any_of(scenario.traffic, drives) || std::ranges::any_of(scenario.dma, loads);
}

Picoseconds recovery_of(const NodeParams& node) {
    const DoorbellParams& doorbell = node.nic.doorbell;
    return doorbell.doorbell_policy == DoorbellPolicy::drop_recover ? doorbell.doorbell_recovery : Picoseconds{};
}

Picoseconds round_trip(const NodeParams& node) {
    const PcieParams& pcie = node.pcie;
    const Picoseconds way = pcie.one_way + pcie.switch_hops * pcie.switch_hop + pcie.update_fc;
    const Picoseconds memory =
        node.root.llc_read + node.root.dram_extra + node.root.numa_extra + node.root.write_visible;
    const Picoseconds translation = node.iommu.enabled ? 4 * node.iommu.miss + node.iommu.ats_rtt : Picoseconds{};
    return 2 * way + memory + translation;
}

// Adds up all times in the parameters.
struct Delays {
    Picoseconds sum{};

    template <class T, class... Description>
    void operator()(std::string_view, T& value, Description&&...) {
        if constexpr (std::is_same_v<T, Picoseconds>) {
            sum += value;
        }
    }
};

// The delays of everything that a request may pass in a node, which excludes the control path.
Picoseconds delays_of(NodeParams node) {
    Delays delays;
    NicParams& nic = node.nic;
    nic.doorbell.doorbell_recovery = recovery_of(node);
    node.root.fields(delays);
    node.pcie.fields(delays);
    nic.queues.fields(delays);
    nic.doorbell.fields(delays);
    nic.wqe.fields(delays);
    nic.dma.fields(delays);
    nic.context.fields(delays);
    nic.translation.fields(delays);
    nic.transport.fields(delays);
    nic.port.fields(delays);
    return round_trip(node) + delays.sum;
}

}  // namespace

std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
    return b != 0 && a > kMost / b ? kMost : a * b;
}

Totals totals_of(const std::vector<Op>& ops) {
    Totals totals;
    for (const Op& op : ops) {
        if (const auto* const post = std::get_if<PostOp>(&op.what)) {
            totals.requests = saturated_sum(totals.requests, 1);
            totals.bytes = saturated_sum(totals.bytes, length_of(*post));
        } else if (const auto* const sleep = std::get_if<SleepOp>(&op.what)) {
            totals.slept = saturated_sum(totals.slept, sleep->span);
        } else if (const auto* const repeat = std::get_if<RepeatOp>(&op.what)) {
            const Totals body = totals_of(repeat->body);
            totals.requests = saturated_sum(totals.requests, saturated_product(repeat->count, body.requests));
            totals.bytes = saturated_sum(totals.bytes, saturated_product(repeat->count, body.bytes));
            totals.slept = saturated_sum(totals.slept, saturated_product(repeat->count, body.slept));
        }
    }
    return totals;
}

Times::Times(const Scenario& scenario) {
    std::uint64_t bytes = 0;
    for (const Host& host : scenario.hosts) {
        hosts_.push_back(times_of(host.node));
        hosts_.back().bounded = !is_held_up(scenario, host);
        if (host.program) {
            const Totals totals = totals_of(host.program->ops);
            turns_ = saturated_sum(turns_, totals.requests);
            bytes = saturated_sum(bytes, totals.bytes);
        }
    }
    for (const Link& link : scenario.links) {
        flight_ = std::max(flight_, link.params.flight());
    }
    const bool is_quiet = scenario.traffic.empty() && scenario.dma.empty() && scenario.faults.empty();
    if (is_quiet && bytes <= kMostBytes && turns_ <= kMostRequests) {
        turns_ += bytes / 128;  // the smallest read
        const std::uint64_t picoseconds_per_byte = ceil_div(8'000'000'000'000, slowest_rate(scenario));
        payload_ = Picoseconds{static_cast<std::int64_t>(4 * bytes * picoseconds_per_byte)};
    }
}

Times::HostTimes Times::times_of(const NodeParams& node) {
    constexpr Picoseconds kSpare = nanoseconds{50};
    const CpuParams& cpu = node.cpu;
    const NicParams& nic = node.nic;
    HostTimes times;
    const Picoseconds round = round_trip(node);
    times.push = (nic.queues.wqe_push_max / 64) * cpu.mmio_wc64;
    times.detect = cpu.poll_detect + cpu.poll_empty + nic.queues.cqe_compression_time + round;
    times.poll = cpu.poll_cq + cpu.mmio_uc + kSpare;
    times.call = cpu.wqe_build + cpu.mmio_uc + nic.doorbell.doorbell_decode + recovery_of(node) + kSpare;
    times.to_nic = 2 * round + nic.doorbell.doorbell_to_sched + recovery_of(node) + microseconds{1};
    const std::uint64_t rate =
        std::max<std::uint64_t>(1, std::min(nic.wqe.per_qp_rate.per_second, nic.wqe.global_rate.per_second));
    times.request = 4 * delays_of(node) + Picoseconds{static_cast<std::int64_t>(ceil_div(1'000'000'000'000, rate))} +
                    microseconds{1};
    times.key_change = times.request + nic.transport.key_update;
    times.command =
        nic.control.command_latency + nic.control.event_latency + cpu.msix_to_isr + cpu.event_wakeup + times.request;
    times.connecting = nic.control.connect_latency;
    return times;
}

Picoseconds Times::key_changes(Index host, std::uint64_t count) const {
    return hosts_[host].to_nic + saturated_product(count, hosts_[host].key_change);
}

// The payload of all programs may be ahead of it, and cross PCIe piece by piece.
std::optional<Picoseconds> Times::message(Index from, Index to) const {
    if (!payload_ || !hosts_[from].bounded || !hosts_[to].bounded) {
        return std::nullopt;
    }
    const Picoseconds each = hosts_[from].request + hosts_[to].request + 2 * flight_;
    const Picoseconds all = saturated_product(turns_ + 1, each);
    return hosts_[from].to_nic + hosts_[to].to_nic + all + *payload_;
}

Picoseconds Times::poll(Index host, std::uint64_t completions) const {
    return hosts_[host].detect + saturated_product(completions, hosts_[host].poll);
}

Picoseconds Times::management(Index from, Index to) const {
    return hosts_[from].command + hosts_[to].command + 2 * flight_;
}

Picoseconds Times::refusal(Index from, Index to) const {
    return 2 * management(from, to) + hosts_[from].connecting + hosts_[to].connecting;
}

}  // namespace ndsim::forecast
