// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/engine_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/base/invariant_error.hpp"

namespace ndsim {

EngineUse use_of(const Unit& unit, const EngineTimes& engine, Picoseconds measured) {
    EngineUse use;
    use.engine = engine.name().empty() ? unit.name() : fmt::format("{}.{}", unit.name(), engine.name());
    use.idle = engine.spent_on(EngineState::kIdle);
    use.busy = engine.spent_on(EngineState::kBusy);
    std::set<std::string_view> told{EngineState::kIdle, EngineState::kBusy};
    for (const EngineState& state : engine.states()) {
        if (told.insert(state.what).second) {
            use.blocked.emplace_back(state.what, engine.spent_on(state.what));
        }
    }
    if (use.idle + use.busy + use.blocked_in_all() != measured) {
        throw InvariantError(use.engine, unit.now(), "its times do not add up to the time that was measured");
    }
    return use;
}

void add_engine(Metrics& metrics, const Unit& unit, const EngineTimes& engine, const EngineUse& use) {
    metrics.add_time(use.engine + ".idle", use.idle, "time with nothing to do");
    metrics.add_time(use.engine + ".busy", use.busy, "time at work");
    metrics.add_time(use.engine + ".blocked", use.blocked_in_all(), "time with something to do that had to wait");
    for (const auto& [what, time] : use.blocked) {
        const auto state = std::ranges::find(engine.states(), what, &EngineState::what);
        metrics.add_time(fmt::format("{}.{}", use.engine, what), time, state->sentence);
    }
    std::set<std::string_view> told{{}};
    for (const EngineState& state : engine.states()) {
        if (told.insert(state.part).second) {
            metrics.add_time(fmt::format("{}.{}", unit.name(), state.part), engine.spent_in_part(state.part),
                             state.sentence);
        }
    }
}

}  // namespace ndsim
