// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/reference/pcie/transfer.hpp"

namespace ndsim::reference::pcie {

// The same transfers through the simulator's DMA engine and link, in a child process, since a process has only one
// simulation. Each kind is given in order: what the engine refuses is tried again when it says so.
[[nodiscard]] std::vector<Times> run_fast(const Setup& setup, const std::vector<Transfer>& transfers);

}  // namespace ndsim::reference::pcie
