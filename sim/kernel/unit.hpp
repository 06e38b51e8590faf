// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <systemc>
#include <vector>

#include "sim/kernel/stats.hpp"
#include "sim/kernel/timeline.hpp"

namespace ndsim {

class ProbeBase;
class Pool;
class StateTimes;
class EngineTimes;
class WorkProbe;

// Unit: a hardware block. It works on the simulation's timeline, lists its probes, pools and times for the waveform
// and the report, and reports its counters. Reports and waveforms find units by walking the sc_object tree.
class Unit : public sc_core::sc_module {
public:
    [[nodiscard]] std::span<ProbeBase* const> probes() const { return probes_; }
    [[nodiscard]] std::span<WorkProbe* const> work_probes() const { return work_probes_; }
    [[nodiscard]] std::span<Pool* const> pools() const { return pools_; }
    [[nodiscard]] std::span<StateTimes* const> state_times() const { return state_times_; }
    [[nodiscard]] std::span<EngineTimes* const> engines() const { return engines_; }
    [[nodiscard]] Picoseconds now() const { return timeline_.now(); }
    virtual void report(StatSink&) const {}
    // The statistics of its pools and times count from `at`, which is now.
    virtual void restart_statistics(Picoseconds at);
    // Called at the end of a run that came to rest: throws InvariantError if something is still in flight.
    virtual void check_idle() const {}

protected:
    Unit(const sc_core::sc_module_name& name, Timeline& timeline) : sc_module(name), timeline_(timeline) {}
    [[nodiscard]] Timeline& timeline() const { return timeline_; }

private:
    friend class ProbeBase;
    friend class Pool;
    friend class StateTimes;
    friend class EngineTimes;
    friend class WorkProbe;

    Timeline& timeline_;
    std::vector<ProbeBase*> probes_;
    std::vector<WorkProbe*> work_probes_;
    std::vector<Pool*> pools_;
    std::vector<StateTimes*> state_times_;
    std::vector<EngineTimes*> engines_;  // of state_times_
};

}  // namespace ndsim
