// SPDX-License-Identifier: Apache-2.0
#include "scenarios/forecast/trial_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <systemc>

#include "scenarios/forecast/reading.hpp"
#include "scenarios/forecast/slow_hosts.hpp"
#include "scenarios/format/expected_failures.hpp"
#include "scenarios/run/run.hpp"

namespace ndsim::forecast {

namespace {

// So that a run costs at most some 0.1 s.
constexpr std::uint64_t kMostItems = 300'000;
constexpr std::uint64_t kMostOperations = 100'000;

// Room in a completion queue whose need is asked for.
constexpr std::uint32_t kDeep = 16'384;

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
    // Figures are those of the whole scenario, so they are not judged; but some of them expect a failure.
    std::erase_if(scenario.expect, [&scenario](const Expectation& each) {
        const auto* const metric = std::get_if<MetricExpectation>(&each.what);
        const auto counts = [&](const Host& host) { return ExpectedFailures::counts(metric->metric, host); };
        return metric != nullptr ? std::ranges::none_of(scenario.hosts, counts)
                                 : std::holds_alternative<MemoryExpectation>(each.what);
    });
    for (Host& host : scenario.hosts) {
        for (Buffer& buffer : host.buffers) {
            buffer.fill = Fill::zero;  // memory that nobody touches costs nothing
        }
    }
    scenario.limits.items = scenario.limits.items == 0 ? kMostItems : std::min(scenario.limits.items, kMostItems);
    if (trial.number > 0) {
        slow_hosts_down(scenario, trial.number);
    }
    deepen(scenario, trial.deep);
    return scenario;
}

// The judged expectations that a run which came to its end has not met.
std::vector<Verdict> unmet_in(const RunResult& result, const Scenario& scenario) {
    std::vector<Verdict> unmet;
    std::ranges::copy_if(result.verdicts, std::back_inserter(unmet), [&](const Verdict& verdict) {
        const auto expected = std::ranges::find(scenario.expect, verdict.path, &Expectation::path);
        return !verdict.met && !std::holds_alternative<MetricExpectation>(expected->what);
    });
    return unmet;
}

SureEnd end_of(const RunResult& result, const std::vector<Verdict>& unmet) {
    if (result.outcome == RunOutcome::time_limit) {
        return SureEnd::limit;
    }
    if (result.outcome == RunOutcome::stalled) {
        return SureEnd::waiting;
    }
    if (result.outcome != RunOutcome::finished) {
        return SureEnd::unknown;
    }
    const bool is_unmet = !unmet.empty();
    const bool is_broken =
        std::ranges::any_of(result.dead_connections, [](const auto& dead) { return !dead.expected; });
    return is_unmet ? SureEnd::unmet : is_broken ? SureEnd::broken : SureEnd::unknown;
}

void add_unmet(const std::vector<Verdict>& unmet, Picoseconds ended, std::vector<Sighting>& sightings) {
    for (const Verdict& verdict : unmet) {
        Sighting& one = sightings.emplace_back();
        one.said.kind = ForeseenKind::unmet;
        one.said.at = verdict.at;
        one.said.path = verdict.path;
        one.subject = fmt::format("the expectation \"{}\"", verdict.what);
        one.verb = "not be met";
        one.why = verdict.found.empty() ? "" : "found " + verdict.found;
        one.thing = verdict.path;
        one.at = ended;
    }
}

}  // namespace

Story run_trial(const Scenario& scenario, const Trial& trial) {
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
        story.ended = result.ended;
        if (result.outcome == RunOutcome::item_limit && scenario.limits.items == alone.limits.items) {
            story.cut = fmt::format("limits.items ends them, {} work items", scenario.limits.items);
        }
        const std::vector<Verdict> unmet = unmet_in(result, alone);
        story.end = story.cut.empty() ? end_of(result, unmet) : SureEnd::unknown;
        if (story.end == SureEnd::unmet) {
            add_unmet(unmet, result.ended, story.sightings);
        }
    } catch (const std::exception& error) {
        story.cut = std::string("a run of it breaks off: ") + error.what();
    }
    return story;
}

}  // namespace ndsim::forecast
