// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/slow_hosts.hpp"

#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/rng.hpp"
#include "sim/kernel/occupancy.hpp"

namespace ndsim::forecast {

namespace {

// A slow host's program is held up for as long as this, once. A message takes some 2 us to its peer, so this turns any
// order that nothing but time gives. A sleep of 10 us still orders two programs if it covers few calls, which take some
// 100 ns each.
constexpr Picoseconds kLate = std::chrono::microseconds{5};

// Other software takes a slow host's cores away as often and as long as this, and a poll notices completions later.
constexpr Picoseconds kAwayEvery = std::chrono::microseconds{10};
constexpr Picoseconds kAway = std::chrono::microseconds{3};
constexpr Picoseconds kNoticed = std::chrono::microseconds{2};

// The lists of operations that a program goes through once, and each place in them.
using Places = std::vector<std::pair<std::vector<Op>*, std::size_t>>;
void add_places(std::vector<Op>& ops, Places& places) {
    for (std::size_t i = 0; i < ops.size(); ++i) {
        places.emplace_back(&ops, i);
        auto* const repeat = std::get_if<RepeatOp>(&ops[i].what);
        if (repeat != nullptr && repeat->count == 1) {
            add_places(repeat->body, places);
        }
    }
}

// Holds the program up at one of its operations.
void hold_up(Program& program, std::uint64_t place, Picoseconds span) {
    Places places;
    add_places(program.ops, places);
    if (!places.empty()) {
        const auto& [ops, index] = places[place % places.size()];
        ops->insert(ops->begin() + static_cast<std::ptrdiff_t>(index), {{}, {}, SleepOp{span}});
    }
}

// The scenario's own host may be slower: other software has its cores for a larger part of the time.
void slow_down(CpuParams& cpu) {
    const WideTime own = WideTime{cpu.preempt_time.count()} * kAwayEvery.count();
    if (cpu.preempt_every == Picoseconds{} || own < WideTime{kAway.count()} * cpu.preempt_every.count()) {
        cpu.preempt_every = kAwayEvery;
        cpu.preempt_time = kAway;
    }
    cpu.poll_jitter = std::max(cpu.poll_jitter, kNoticed);
}

}  // namespace

// In the first trial every second host is slow from its first operation on, in the second trial the rest is. Later
// trials draw who is slow, and where.
void slow_hosts_down(Scenario& scenario, unsigned number) {
    Rng choices(number, "forecast");
    for (std::size_t i = 0; i < scenario.hosts.size(); ++i) {
        Host& host = scenario.hosts[i];
        const std::uint64_t place = number <= 2 ? 0 : choices.next();
        const std::uint64_t span = choices.between(0, static_cast<std::uint64_t>(kLate.count()));
        if (number <= 2 ? (i + number) % 2 != 0 : choices.between(0, 2) == 0) {
            continue;
        }
        slow_down(host.node.cpu);
        if (host.program) {
            hold_up(*host.program, place, number <= 2 ? kLate : Picoseconds{static_cast<std::int64_t>(span)});
        }
    }
    scenario.seed += number;
}

}  // namespace ndsim::forecast
