// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/files/vcd_file.hpp"

namespace ndsim {

// How viewers show the waveform.
struct WaveViewOptions {
    std::filesystem::path vcd;       // run/waves.vcd; the view's files go beside it
    std::vector<std::string> hosts;  // their groups come first, in this order
    Picoseconds start{};             // window shown at first
    Picoseconds end{};
};

// Writes the files that let a viewer show the VCD of `signals` well: waves.gtkw and gtkwave/*.txt for GTKWave,
// surfer/mappings/*.txt for Surfer. Their paths are relative, so that the folder may be moved. WaveError if that fails.
void write_wave_view(const WaveViewOptions& options, std::span<const WaveSignal> signals);

// The text of the GTKWave save file: a group for each host, a heading for each unit, states by their names (files
// gtkwave/<name>.txt), numbers in decimal, occupancies as steps.
[[nodiscard]] std::string gtkwave_save_file(const WaveViewOptions& options, std::span<const WaveSignal> signals);

}  // namespace ndsim
