// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "scenarios/record/recorder.hpp"
#include "scenarios/record/request_rows.hpp"
#include "sim/files/wave_view.hpp"

namespace ndsim {

// A request that a waveform shows from post to poll.
struct WaveRequest {
    std::string title;  // of its rows
    RequestHosts hosts;
};

// The part of a run that its waveform shows at first, the markers in it, and the slowest of its requests, or of those
// that failed.
struct FirstView {
    Interval around;
    std::vector<WaveMark> marks{};
    std::optional<WaveRequest> request{};
};

// It shows the requests that the scenario's expectations name, or else all that its programs name: from the first
// post that is not a receive, or an earlier completion, to the last completion or refusal. A marker stands at each
// completion; at those of receives only if there are few. Without such requests it is the outages among the faults, or
// else the slowest request, or else `run`.
[[nodiscard]] FirstView first_view(const Scenario& scenario, const Recorder& recorder, Interval run);

}  // namespace ndsim
