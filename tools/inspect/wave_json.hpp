// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/inspect/vcd_waves.hpp"

namespace ndsim::inspect {

// The part of a waveform that a picture shows.
struct WaveChoice {
    std::optional<Picoseconds> from;
    std::optional<Picoseconds> to;      // included
    std::vector<std::string> patterns;  // of signals; * is any text. None: all that change in this time
};

// WaveJSON, as WaveDrom draws it. Each time at which a chosen signal changes is one step, so that nanoseconds and
// milliseconds are equally wide; the times are under the steps. UsageError if nothing is left, or too much.
[[nodiscard]] nlohmann::ordered_json wave_json(const RecordedWaves& waves, const WaveChoice& choice,
                                               const std::string& title);

}  // namespace ndsim::inspect
