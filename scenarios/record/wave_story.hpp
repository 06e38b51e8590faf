// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/files/vcd_file.hpp"

namespace ndsim {

// The signals of a waveform that a viewer shows first, in the order in which a Send passes them: within a host from the
// core over PCIe and the NIC's sending side to its receiving side, the cables between the hosts. Queues stand where a
// Send enters them, unless a host has many of a kind. The file also has all other signals.
[[nodiscard]] std::vector<WaveSignal> wave_story(std::span<const WaveSignal> signals,
                                                 std::span<const std::string> hosts);

}  // namespace ndsim
