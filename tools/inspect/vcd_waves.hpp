// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/units.hpp"

namespace ndsim::inspect {

// A signal of a waveform.
struct RecordedSignal {
    std::string path;  // "A.nic.rx.packet"
    unsigned bits = 1;
    std::vector<std::string> states;  // names of the values 0, 1, 2 ...; empty for a number
};

// A signal has a new value.
struct RecordedChange {
    Picoseconds at{};
    std::size_t signal = 0;
    std::uint64_t value = 0;
};

// RecordedWaves: the waveform of a run, read back from its waves.vcd.
struct RecordedWaves {
    std::vector<RecordedSignal> signals;
    std::vector<RecordedChange> changes;  // in the order of time; the first ones are the values at the beginning
    Picoseconds last{};
};

// The waveform of a run, or the part that a picture from `from` to `to` needs: a signal's earlier changes count as one,
// and what is later is not read. UsageError if the folder has no waveform, or the file is not one of ndsim.
[[nodiscard]] RecordedWaves read_waves(const std::string& folder, Picoseconds from = Picoseconds::min(),
                                       Picoseconds to = Picoseconds::max());

}  // namespace ndsim::inspect
