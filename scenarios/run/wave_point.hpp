// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/record/recorder.hpp"
#include "sim/files/wave_view.hpp"

namespace ndsim {

// The part of a run that its waveform shows at first, and the markers in it.
struct WavePoint {
    Interval around;
    std::vector<WaveMark> marks;
};

// The requests that the scenario's expectations name are its point, or else all that its programs name: from the first
// post that is not a receive, or an earlier completion, to the last completion or refusal. A marker stands at each
// completion; at those of receives only if there are few. Without such requests it is the outages among the faults, or
// else the slowest request, or else `run`.
[[nodiscard]] WavePoint wave_point(const Scenario& scenario, const Recorder& recorder, Interval run);

}  // namespace ndsim
