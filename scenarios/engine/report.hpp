// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scenarios/engine/metrics.hpp"
#include "scenarios/engine/recorder.hpp"
#include "scenarios/engine/run.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// Report: what the hardware has to say of a run. Counters are those of the whole run, the figures of the pools those of
// the time in which every generator was measured.
class Report {
public:
    // On every unit of the design; all of them have been made before.
    Report();

    // Measuring begins: what the pools held until now no longer counts.
    void restart_pools();
    // Measuring is over: the pools' figures are those of now. Only the first call counts.
    void take_pools();
    // Adds the figures of every unit, its pools behind its counters.
    void add_units(Metrics& metrics);
    // At the end of a run that finished: InvariantError if a unit still has work.
    void check_idle() const;

private:
    std::vector<Unit*> units_;
    bool pools_taken_ = false;
    Metrics pools_;
};

// Adds the mean ledgers of all hosts to a result, and the distributions of the whole lives to its metrics.
void add_ledgers(RunResult& result, const Recorder& recorder);

}  // namespace ndsim
