// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/silent_run.hpp"

#include <algorithm>
#include <exception>
#include <systemc>

#include "scenarios/forecast/reading.hpp"
#include "scenarios/run/run.hpp"
#include "sim/base/rng.hpp"

namespace ndsim::forecast {

namespace {

// So that a run costs at most some 0.1 s.
constexpr std::uint64_t kMostItems = 300'000;
constexpr std::uint64_t kMostOperations = 100'000;

// Room in a completion queue whose need is asked for.
constexpr std::uint32_t kDeep = 16'384;

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

// In the first two trials every other host is slow from its first operation on, and the rest is not: with two hosts,
// each of them once. Later trials draw who is slow, and where.
void disturb(Scenario& scenario, unsigned number) {
    Rng choices(number, "forecast");
    for (std::size_t i = 0; i < scenario.hosts.size(); ++i) {
        Host& host = scenario.hosts[i];
        const std::uint64_t place = number <= 2 ? 0 : choices.next();
        const std::uint64_t span = choices.between(0, static_cast<std::uint64_t>(kLate.count()));
        if (number <= 2 ? (i + number) % 2 != 0 : choices.between(0, 2) == 0) {
            continue;
        }
        host.node.cpu.preempt_every = kAwayEvery;
        host.node.cpu.preempt_time = kAway;
        host.node.cpu.poll_jitter = kNoticed;
        if (host.program) {
            hold_up(*host.program, place, number <= 2 ? kLate : Picoseconds{static_cast<std::int64_t>(span)});
        }
    }
    scenario.seed += number;
}

void deepen(Scenario& scenario, const std::set<std::string>& queues) {
    for (Host& host : scenario.hosts) {
        for (CompletionQueue& cq : host.cqs) {
            cq.depth = queues.contains(host.name + "." + cq.name) ? std::max(cq.depth, kDeep) : cq.depth;
        }
        const auto is_own = [&](const std::string& queue) {
            const Endpoint end = endpoint_of(queue);
            return end.host == host.name &&
                   std::ranges::find(host.cqs, end.name, &CompletionQueue::name) == host.cqs.end();
        };
        std::uint32_t& own = host.node.nic.queues.cq.depth;
        own = std::ranges::any_of(queues, is_own) ? std::max(own, kDeep) : own;
    }
}

// The programs and their hardware alone.
Scenario silent(Scenario scenario, const Trial& trial) {
    scenario.traffic.clear();
    scenario.dma.clear();
    scenario.target.clear();
    std::erase_if(scenario.expect, [](const Expectation& each) {
        return std::holds_alternative<MetricExpectation>(each.what) ||
               std::holds_alternative<MemoryExpectation>(each.what);
    });
    for (Host& host : scenario.hosts) {
        for (Buffer& buffer : host.buffers) {
            buffer.fill = Fill::zero;  // memory that nobody touches costs nothing
        }
    }
    scenario.limits.items = scenario.limits.items == 0 ? kMostItems : std::min(scenario.limits.items, kMostItems);
    if (trial.number > 0) {
        disturb(scenario, trial.number);
    }
    deepen(scenario, trial.deep);
    return scenario;
}

SureEnd end_of(const RunResult& result) {
    if (result.outcome == RunOutcome::time_limit) {
        return SureEnd::limit;
    }
    if (result.outcome == RunOutcome::stalled) {
        return SureEnd::waiting;
    }
    if (result.outcome != RunOutcome::finished) {
        return SureEnd::unknown;
    }
    const bool is_unmet = std::ranges::any_of(result.verdicts, [](const Verdict& each) { return !each.met; });
    const bool is_broken =
        std::ranges::any_of(result.dead_connections, [](const auto& dead) { return !dead.expected; });
    return is_unmet ? SureEnd::unmet : is_broken ? SureEnd::broken : SureEnd::unknown;
}

}  // namespace

Story run_silently(const Scenario& scenario, const Trial& trial) {
    const Scenario alone = silent(scenario, trial);
    CallLog calls(alone.hosts.size(), kMostOperations);
    Story story;
    RunOptions options;
    options.calls = &calls;
    options.at_end = [&](World& world, const Software& software, const RunResult& result) {
        story = Reading(Remains(alone, world, software, result, calls)).story();
    };
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);  // says that a run was stopped
    try {
        const RunResult result = run_scenario(alone, options);
        story.items = result.items;
        story.end = story.cut.empty() ? end_of(result) : SureEnd::unknown;
    } catch (const std::exception& error) {
        story.cut = std::string("a run of it breaks off: ") + error.what();
    }
    return story;
}

}  // namespace ndsim::forecast
