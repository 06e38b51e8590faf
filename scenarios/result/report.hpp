// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "scenarios/measure/metrics.hpp"
#include "scenarios/record/recorder.hpp"
#include "scenarios/result/run_result.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Report: the hardware's figures of a run. Counters are those of the whole run; figures of pools, and times in states,
// are those of the time in which every generator was measured.
class Report {
public:
    // Covers every unit of the design; all of them must already exist.
    explicit Report(Metrics::Of of = Metrics::Of::this_run);

    // Measuring begins: earlier figures no longer count.
    void begin_measuring();
    // Measuring ends: figures of pools and states are those of now. Only the first call counts.
    void end_measuring();
    // Adds the figures of every unit: counters, times, engines, pools.
    void add_units(RunResult& result);
    // At the end of a run that finished: InvariantError if a unit still has work.
    void check_idle() const;

private:
    [[nodiscard]] Picoseconds now() const { return units_.front()->now(); }

    const Metrics::Of of_;
    std::vector<Unit*> units_;
    Picoseconds begun_{};
    std::optional<Picoseconds> ended_;
    std::vector<Metrics> measured_;  // times and pools of each unit
    std::vector<EngineUse> engines_;
    std::vector<PoolUse> pools_;
};

// Adds the mean ledgers of all hosts to a result, and the distributions of total lifetimes to its metrics.
void add_ledgers(RunResult& result, const Recorder& recorder);

}  // namespace ndsim
