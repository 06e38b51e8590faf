// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/files/vcd_file.hpp"
#include "sim/files/wave_marks.hpp"

namespace ndsim {

// How viewers show the waveform.
struct WaveViewOptions {
    std::filesystem::path vcd;       // run/waves.vcd; the view's files go beside it
    std::vector<std::string> hosts;  // in the order of their groups
    Picoseconds start{};             // window shown at first
    Picoseconds end{};
    std::vector<WaveMark> marks{};   // in the order of their times; the first 26 are shown
    std::string first{};             // name of a group in front of all others
    std::vector<WaveSignal> rows{};  // its signals, in order; their other groups do not have them
};

// Writes the files that let a viewer show the VCD of `signals` well: waves.gtkw and gtkwave/*.txt for GTKWave,
// surfer/mappings/*.txt for Surfer. Their paths are relative, so that the folder may be moved. WaveError if that fails.
void write_wave_view(const WaveViewOptions& options, std::span<const WaveSignal> signals);

// The text of the GTKWave save file: the first group, a group for each host, that of the network behind the first host,
// and closed groups: those of hosts and ports aside, and last the signals that keep their value in the window. States
// have their names (files gtkwave/<name>.txt), numbers are decimal, keys hexadecimal, occupancies steps.
[[nodiscard]] std::string gtkwave_save_file(const WaveViewOptions& options, std::span<const WaveSignal> signals);

}  // namespace ndsim
