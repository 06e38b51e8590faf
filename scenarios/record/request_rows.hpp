// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/files/vcd_file.hpp"

namespace ndsim {

// The two hosts between which a request goes.
struct RequestHosts {
    std::string requester;
    std::string peer;  // empty: not known
};

// The signals that show a request's life, in the order of its steps: the core that posts and polls, the doorbell, the
// WQE engine, DMA, the lane, the responder with its receives and keys, DMA and the completion at the peer, the lane
// back, the completion. Signals that keep their value are left out, and so are cores and levels of receives if more
// than two change.
[[nodiscard]] std::vector<WaveSignal> request_rows(std::span<const WaveSignal> signals, const RequestHosts& hosts);

// Sets aside the signals of all other hosts of `hosts`, of their lanes and of their ports at switches, unless the peer
// is not known.
void set_aside(std::span<WaveSignal> signals, std::span<const std::string> hosts, const RequestHosts& way);

}  // namespace ndsim
