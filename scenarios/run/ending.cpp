// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/ending.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "scenarios/run/standstill.hpp"

namespace ndsim {

namespace {

std::string who_stands_still(const Software& software) {
    constexpr std::size_t kMost = 4;
    std::vector<std::string> held = ports_held_by_pauses();
    if (held.empty()) {
        return software.who_waits();
    }
    const std::size_t more = held.size() - std::min(held.size(), kMost);
    held.resize(held.size() - more);
    return fmt::format("{}; pause frames hold the packets at {}{} for ever", software.who_waits(),
                       fmt::join(held, ", "), more == 0 ? "" : fmt::format(" and {} more ports", more));
}

}  // namespace

RunOutcome outcome_of(RunEnd end, const Software& software) {
    switch (end) {
        case RunEnd::time_limit:
            return RunOutcome::time_limit;
        case RunEnd::item_limit:
            return RunOutcome::item_limit;
        case RunEnd::interrupted:
            return RunOutcome::interrupted;
        case RunEnd::only_retries:
            return RunOutcome::stalled;
        case RunEnd::nothing_left:
        case RunEnd::finished:
            break;
    }
    const bool done = software.cut_short() || (software.finished() && ports_held_by_pauses().empty());
    return done ? RunOutcome::finished : RunOutcome::stalled;
}

std::string why(RunOutcome outcome, const Software& software, const Scenario& scenario) {
    switch (outcome) {
        case RunOutcome::finished:
            break;
        case RunOutcome::stalled:
            return who_stands_still(software);
        case RunOutcome::time_limit:
            return fmt::format("the limit of {} of simulated time; {}", to_text(scenario.limits.time),
                               software.who_waits());
        case RunOutcome::item_limit:
            return fmt::format("the limit of {} work items; {}", scenario.limits.items, software.who_waits());
        case RunOutcome::interrupted:
            return "interrupted";
    }
    return {};
}

}  // namespace ndsim
