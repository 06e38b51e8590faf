// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/limits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/result/hardware_limits.hpp"
#include "scenarios/result/traffic_ends.hpp"

namespace ndsim {

namespace {

constexpr std::uint64_t kAll = LimitShares::kAll;
constexpr std::uint64_t kSaturated = 900'000;  // a server this busy is the limit
constexpr std::uint64_t kBinding = 100'000;    // a pool full for this long is the limit, if no server is
constexpr std::uint64_t kRest = 30'000;        // the same for a pool that counts only while the server behind it rests
constexpr std::uint64_t kAlike = 50'000;       // pools full for about as long: the one further along comes first

// Waits of the work-queue engine that has work. The second list is of waits for payload to send, which Reads have not.
// The third list holds up a single queue pair: that holds up a generator only if it has the engine to itself.
constexpr std::array kSharedWaits{Stall::sq_in_flight, Stall::nic_rate, Stall::wqe_cache};
constexpr std::array kPayloadWaits{Stall::tx_fifo, Stall::tags};
constexpr std::array kOwnWaits{Stall::psn_window, Stall::qp_rate,     Stall::fence,
                               Stall::read_limit, Stall::read_buffer, Stall::local_operation,
                               Stall::credits,    Stall::rnr,         Stall::context};

bool is_server(LimitKind kind) {
    return kind == LimitKind::wire || kind == LimitKind::pcie || kind == LimitKind::rate || kind == LimitKind::core;
}
bool is_saturated(const Limit& limit) {
    return is_server(limit.kind) && limit.share_ppm >= kSaturated;
}
// A wire that rests for long enough not to be what fills the pools behind it.
bool is_resting(const Limit& limit) {
    return limit.kind == LimitKind::wire && limit.share_ppm + kRest <= kAll;
}
bool may_hold_up(const Limit& limit, const std::string& generator) {
    return std::ranges::find(limit.generators, generator) != limit.generators.end();
}

// GeneratorWaits: the waits of the generators. In a closed loop a window is full whenever any hardware is the limit, so
// such waits count only as far as no hardware explains them.
class GeneratorWaits {
public:
    GeneratorWaits(const Scenario& scenario, const LimitShares& shares, std::vector<Limit> hardware)
        : scenario_(scenario), shares_(shares), hardware_(hardware), limits_(std::move(hardware)) {}

    [[nodiscard]] std::vector<Limit> take() {
        for (const Traffic& traffic : scenario_.traffic) {
            add(traffic);
        }
        for (const DmaLoad& load : scenario_.dma) {
            const std::uint64_t full = shares_.full(load.host + ".dma_" + load.name + ".in_flight");
            add(LimitKind::window, name_of(load), unexplained(full, most_of(name_of(load))), name_of(load),
                [&] { return parameter_of(load, "in_flight"); });
        }
        return std::move(limits_);
    }

private:
    void add(const Traffic& traffic);
    [[nodiscard]] std::uint64_t engine_waits(const TrafficEnds& ends) const;

    // The largest share of a limit that surely holds the generator up. What waits behind a wire that rests does not
    // wait for that wire.
    [[nodiscard]] std::uint64_t most_of(const std::string& generator, bool is_behind_wire = false) const {
        std::uint64_t share = 0;
        for (const Limit& limit : hardware_) {
            if ((!is_server(limit.kind) || is_saturated(limit)) && may_hold_up(limit, generator) &&
                !(is_behind_wire && is_resting(limit))) {
                share = std::max(share, limit.share_ppm);
            }
        }
        return share;
    }
    [[nodiscard]] static std::uint64_t unexplained(std::uint64_t share, std::uint64_t explained) {
        return share * (kAll - std::min(explained, kAll)) / kAll;
    }
    template <class Parameter>
    void add(LimitKind kind, std::string what, std::uint64_t share_ppm, const std::string& generator,
             const Parameter& parameter, std::vector<std::string> behind_wire = {}) {
        if (share_ppm >= kLeastLimit) {
            limits_.push_back(
                {kind, std::move(what), share_ppm, false, parameter(), {generator}, std::move(behind_wire)});
        }
    }

    const Scenario& scenario_;
    const LimitShares& shares_;
    const std::vector<Limit> hardware_;
    std::vector<Limit> limits_;
};

void GeneratorWaits::add(const Traffic& traffic) {
    const TrafficEnds ends(scenario_, traffic);
    const std::uint64_t by_engine = std::max(engine_waits(ends), shares_.of_sending_again(traffic));
    const std::uint64_t explained = std::max(most_of(name_of(traffic)), by_engine);
    const auto share_of = [&](std::string_view wait) {
        return shares_.of(fmt::format("{}.cpu_{}.{}", ends.from.name, traffic.name, wait));
    };
    const auto add_wait = [&](LimitKind kind, std::string what, std::uint64_t share, const auto& parameter) {
        add(kind, std::move(what), unexplained(share, explained), name_of(traffic), parameter);
    };
    // Where requests that are done, and unsignaled, fill the smaller of queue and window, more of that helps, too.
    const std::uint64_t unsignaled = share_of("unsignaled");
    const std::uint64_t in_queue = traffic.window > ends.sender.sq.depth ? unsignaled : 0;
    const std::uint64_t in_window = traffic.window < ends.sender.sq.depth ? unsignaled : 0;
    add(LimitKind::ring, ends.receive_queue(),
        unexplained(share_of("no_receive"), std::max(most_of(name_of(traffic), true), by_engine)), name_of(traffic),
        [&] { return receives_of(ends, traffic); }, {name_of(traffic)});
    add_wait(LimitKind::signalling, ends.send_queue(), unsignaled,
             [&] { return parameter_of(traffic, "signal_every"); });
    add_wait(LimitKind::ring, ends.send_queue(), std::max(share_of("queue_full"), in_queue),
             [&] { return parameter_of(ends.from, ends.sender, "sq.depth"); });
    add_wait(LimitKind::window, name_of(traffic), std::max(share_of("window_full"), in_window),
             [&] { return parameter_of(traffic, "window"); });
}

// The share of time in which the sender's engine had work and stood still. It waits for one thing at a time.
std::uint64_t GeneratorWaits::engine_waits(const TrafficEnds& ends) const {
    const std::string engine = ends.from.name + ".nic.wqe";
    std::uint64_t sum = shares_.of_cut_fetches(engine);
    for (const Stall wait : kSharedWaits) {
        sum += shares_.of(engine, wait);
    }
    if (&ends.source == &ends.from) {
        for (const Stall wait : kPayloadWaits) {
            sum += shares_.of(engine, wait);
        }
    }
    const auto sends = [&](const Traffic& other) { return other.from.host == ends.from.name; };
    if (!ends.from.program && std::ranges::count_if(scenario_.traffic, sends) == 1) {
        for (const Stall wait : kOwnWaits) {
            sum += shares_.of(engine, wait);
        }
    }
    return sum;
}

// Whether the limit is the TX FIFO in front of that lane. It counts only while the lane rests, so the lane does not
// explain it.
bool is_in_front_of(const Limit& limit, const Limit& lane) {
    const std::string_view what = limit.what;
    constexpr std::string_view kFifo = ".nic.tx.tx_fifo";
    return lane.kind == LimitKind::wire && what.ends_with(kFifo) &&
           lane.what.find(fmt::format("_{}_to_", what.substr(0, what.size() - kFifo.size()))) != std::string::npos;
}

// The share of time from which on a pool is binding.
std::uint64_t least_binding(const Limit& pool, const std::vector<Limit>& limits) {
    return std::ranges::any_of(limits,
                               [&](const Limit& each) { return is_saturated(each) && is_in_front_of(pool, each); })
               ? kRest
               : kBinding;
}

// Whether a wire with a rest cannot be what fills the pool: the generator's data comes to the pool behind the wire.
bool is_behind(const Limit& limit, const Limit& wire, const std::string& generator) {
    return is_resting(wire) && std::ranges::find(limit.behind_wire, generator) != limit.behind_wire.end();
}

// Whether the pool was also full while the server rested, which then was not what filled it.
bool is_full_in_its_rest(const Limit& limit, const Limit& server) {
    return limit.share_ppm >= server.share_ppm + kRest;
}

// Whether there is a generator that the limit may hold up, and that no saturated server holds up. The way of programs'
// data is unknown.
bool is_first_in_the_way(const Limit& limit, const std::vector<Limit>& limits) {
    const auto saturated = [&](const std::string& generator) {
        return std::ranges::any_of(limits, [&](const Limit& other) {
            return is_saturated(other) && may_hold_up(other, generator) && !is_in_front_of(limit, other) &&
                   !is_behind(limit, other, generator) && !is_full_in_its_rest(limit, other);
        });
    };
    return limit.generators.empty() ? std::ranges::none_of(limits, is_saturated)
                                    : !std::ranges::all_of(limit.generators, saturated);
}

// Whether the server rests about as little as any other in the way of the same generators. A server that rests more
// does so because the others let less through.
bool is_busiest_in_the_way(const Limit& limit, const std::vector<Limit>& limits) {
    return std::ranges::none_of(limits, [&](const Limit& other) {
        const auto may_wait_for_other = [&](const std::string& generator) { return may_hold_up(other, generator); };
        return is_saturated(other) && other.share_ppm > limit.share_ppm + kAlike &&
               (limit.generators.empty() ? other.generators.empty()
                                         : std::ranges::all_of(limit.generators, may_wait_for_other));
    });
}

// Within a class, the order is that of the lists above if the shares do not decide.
void rank(std::vector<Limit>& limits) {
    for (Limit& limit : limits) {
        limit.binds = is_server(limit.kind)
                          ? is_saturated(limit) && is_busiest_in_the_way(limit, limits)
                          : limit.share_ppm >= least_binding(limit, limits) && is_first_in_the_way(limit, limits);
    }
    const auto order_of = [](const Limit& limit) {
        const bool server = is_server(limit.kind);
        const int place = limit.binds ? (server ? 0 : 1) : is_saturated(limit) ? 2 : server ? 4 : 3;
        return std::pair{place, kAll - limit.share_ppm / (server ? 1 : kAlike)};
    };
    std::ranges::stable_sort(limits, {}, order_of);
}

}  // namespace

std::vector<Limit> limits_of(const Scenario& scenario, const Metrics& metrics, std::span<const MeanLedger> ledgers) {
    const LimitShares shares(metrics, ledgers);
    std::vector<Limit> limits = GeneratorWaits(scenario, shares, HardwareLimits(scenario, shares).take()).take();
    rank(limits);
    return limits;
}

}  // namespace ndsim
