// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <optional>

#include "scenarios/forecast/generators.hpp"
#include "scenarios/format/connections.hpp"
#include "scenarios/format/routes.hpp"
#include "sim/config/quantity.hpp"

// Work that takes longer than limits.time, however fast all else is.
namespace ndsim::forecast {

namespace {

std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    return b != 0 && a > kMost / b ? kMost : a * b;
}

// Messages or transfers that must be done before the run may end.
std::uint64_t needed(std::uint64_t count, const Measure& measure) {
    constexpr std::uint64_t kMostWarmup = 10'000;
    if (measure.drain || measure.window == 0) {
        return count;
    }
    const std::uint64_t warmup = measure.warmup.value_or(std::min(count / 10, kMostWarmup));
    return std::min(count, warmup > count ? count : warmup + measure.window);
}

Picoseconds times(std::uint64_t n, Picoseconds span) {
    const std::uint64_t product = saturated_product(n, static_cast<std::uint64_t>(span.count()));
    return Picoseconds{static_cast<std::int64_t>(std::min(product, static_cast<std::uint64_t>(kForEver.count())))};
}

// The least time from the beginning to the arrival of the last message. That of random arrivals is unknown.
Picoseconds last_arrival(const Traffic& traffic, std::uint64_t messages) {
    switch (traffic.arrivals) {
        case ArrivalKind::closed:
        case ArrivalKind::poisson:
            return {};
        case ArrivalKind::fixed:
            return times(messages - 1, traffic.interval);
        case ArrivalKind::on_off:
            return times((messages - 1) / traffic.burst, traffic.pause);
        case ArrivalKind::trace:
            return traffic.times[std::min<std::uint64_t>(messages, traffic.times.size()) - 1];
    }
    return {};
}

// The time of the payload alone, on the slowest link of its way.
Picoseconds on_the_wire(const Routes& routes, const Traffic& traffic, std::uint64_t messages) {
    std::uint64_t rate = std::numeric_limits<std::uint64_t>::max();
    for (const RouteStep& step : routes.way_of_payload(traffic)) {
        rate = std::min(rate, step.link->params.rate.bits_per_second);
    }
    const Bytes least = *std::min_element(traffic.sizes.begin(), traffic.sizes.end());
    return times(saturated_product(messages, 8 * least.count),
                 Picoseconds{static_cast<std::int64_t>(1'000'000'000'000 / rate)});
}

// The least time in which a DMA generator does its transfers: their issues, its turns of in_flight transfers, each of
// which crosses PCIe, or their payload on one direction of the link. A read crosses PCIe there and back.
Picoseconds transferred(const Scenario& scenario, const DmaLoad& load, std::uint64_t transfers) {
    const DmaGeneratorParams& dma = load.params;
    const PcieParams& pcie = host_at(scenario, {load.host, {}}).node.pcie;
    const bool reads = dma.operation == DmaOperation::read || dma.operation == DmaOperation::write_read;
    const bool both_ways = dma.operation == DmaOperation::read_and_write;
    const Picoseconds way = pcie.flight() * (reads ? 2 : 1);
    const std::uint64_t one_direction = both_ways ? transfers / 2 : transfers;
    const std::uint64_t payload = saturated_product(one_direction, dma.size.count);
    const ExactRate rate = pcie.tlp_rate();
    return std::max({times(transfers - 1, dma.issue), times((transfers - 1) / dma.in_flight + 1, way),
                     times(payload, Picoseconds{static_cast<std::int64_t>(rate.num / rate.den)})});
}

// All sleeps of these operations; saturated.
Picoseconds slept_in(const Op& op) {
    if (const auto* const sleep = std::get_if<SleepOp>(&op.what)) {
        return sleep->span;
    }
    Picoseconds sum{};
    if (const auto* const repeat = std::get_if<RepeatOp>(&op.what)) {
        for (const Op& inside : repeat->body) {
            const Picoseconds more = times(repeat->count, slept_in(inside));
            sum = sum > kForEver - more ? kForEver : sum + more;
        }
    }
    return sum;
}

Foreseen said(Certainty certainty, Position at, std::string path, const std::string& why, Picoseconds limit) {
    Foreseen said{.certainty = certainty, .kind = ForeseenKind::limit, .at = at};
    said.path = std::move(path);
    const bool is_sure = certainty == Certainty::will;
    said.what = "limits.time " + std::string(is_sure ? "will" : "may") + " end the run: " + why +
                ", and the limit is " + to_text(limit) + (is_sure ? "" : "; but its connection may fail before");
    said.advice = "raise limits.time";
    return said;
}

// Whether a switch may have no room for all that generators have outstanding, twice over because of headers. The work
// of programs is unknown.
bool may_drop(const Scenario& scenario) {
    constexpr std::uint64_t kPerMessage = 256;
    std::uint64_t outstanding = 0;
    for (const Traffic& traffic : scenario.traffic) {
        const Bytes most = *std::ranges::max_element(traffic.sizes);
        const std::uint64_t more = saturated_product(traffic.window, 2 * most.count + kPerMessage);
        outstanding += std::min(more, std::numeric_limits<std::uint64_t>::max() - outstanding);
    }
    const bool is_known =
        std::ranges::none_of(scenario.hosts, [](const Host& host) { return host.program.has_value(); });
    return std::ranges::any_of(scenario.switches, [&](const NetworkSwitch& each) {
        const Bytes port = each.params.port_buffer;
        const Bytes room = port.count == 0 ? each.params.buffer : std::min(port, each.params.buffer);
        return !each.params.pause && (!is_known || outstanding > room.count);
    });
}

// How sure it is that the connections of a generator last until the limit. `foreseen` is what happens to generators.
Certainty lasting(const Scenario& scenario, const Traffic& traffic, const std::vector<Foreseen>& foreseen) {
    const auto ends_it = [&](const Foreseen& one) {
        return one.kind == ForeseenKind::overruns || one.path == "traffic." + traffic.name;
    };
    const bool may_end = !scenario.faults.empty() || may_drop(scenario) || std::ranges::any_of(foreseen, ends_it);
    return may_end ? Certainty::may : Certainty::will;
}

// The operation of the list behind which the limit is passed.
std::optional<Foreseen> foresee(const Host& host, Picoseconds limit) {
    Picoseconds slept{};
    for (const Op& op : host.program->ops) {
        const Picoseconds more = slept_in(op);
        if (more > limit - slept) {
            const std::string all = more == kForEver ? "more than 100 days" : to_text(slept + more);
            return said(Certainty::will, op.at, op.path, "by then " + host.name + " has slept for " + all, limit);
        }
        slept += more;
    }
    return std::nullopt;
}

}  // namespace

Foreseen weakened(Foreseen one) {
    constexpr std::string_view kSure = "limits.time will ";
    if (one.what.starts_with(kSure)) {
        one.what.replace(0, kSure.size(), "limits.time may ");
    }
    one.certainty = Certainty::may;
    return one;
}

std::vector<Foreseen> foresee_time_limit(const Scenario& scenario) {
    const Picoseconds limit = scenario.limits.time;
    std::vector<Foreseen> foreseen;
    for (const Host& host : scenario.hosts) {
        if (host.program) {
            if (auto one = foresee(host, limit)) {
                foreseen.push_back(std::move(*one));
            }
        }
    }
    const Routes routes(scenario);
    const std::vector<Foreseen> of_generators = foresee_generators(scenario);
    for (const Traffic& traffic : scenario.traffic) {
        const std::uint64_t messages = needed(traffic.count, scenario.measure);
        const std::string path = "traffic." + traffic.name;
        const std::string count = std::to_string(messages) + " messages";
        if (const Picoseconds last = last_arrival(traffic, messages); last > limit) {
            foreseen.push_back(said(lasting(scenario, traffic, of_generators), traffic.at, path,
                                    "the last of " + count + " is due after " + to_text(last), limit));
        } else if (const Picoseconds span = on_the_wire(routes, traffic, messages); span > limit) {
            foreseen.push_back(said(lasting(scenario, traffic, of_generators), traffic.at, path,
                                    "the payload of " + count + " takes " + to_text(span) + " on the wire", limit));
        }
    }
    for (const DmaLoad& load : scenario.dma) {
        const std::uint64_t transfers = needed(load.params.count, scenario.measure);
        if (const Picoseconds span = transferred(scenario, load, transfers); span > limit) {
            foreseen.push_back(said(Certainty::will, load.at, "dma." + load.name,
                                    std::to_string(transfers) + " transfers take at least " + to_text(span), limit));
        }
    }
    return foreseen;
}

}  // namespace ndsim::forecast
