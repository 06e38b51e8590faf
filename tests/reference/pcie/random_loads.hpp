// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <string>

#include "tests/reference/pcie/transfer.hpp"

namespace ndsim::reference::pcie {

// Transfers, and what they run on.
struct Load {
    Setup setup;
    std::vector<Transfer> transfers;
};

// Any address, length, link and latencies; each transfer has the link for itself.
[[nodiscard]] rc::Gen<Load> lonely_loads();
// Many transfers at short intervals; few tags, credits for requests, and transfers in flight; the latencies of preset
// B.
[[nodiscard]] rc::Gen<Load> crowded_loads();
// Reads or writes of one TLP at shorter intervals, with few credits. Left out:
// - Longer ones with few credits. The simulator's link takes the credits of a whole train before its first TLP and
// gives
//   those of a write back after its last one; the slow model does so for each TLP. With credits for little more than
//   one write of 4 KiB a load takes up to twice as long in the simulator, and as long where credits are no limit.
// - Reads among writes that wait for credits: from 6 % early to 12 % late. In the simulator a read waits for the write
//   that is next to have its credits, in the slow model for all writes given before it, if those wait in their turn.
[[nodiscard]] rc::Gen<Load> creditless_loads();

// The parameters and the transfers, a line each.
[[nodiscard]] std::string describe(const Load& load);

}  // namespace ndsim::reference::pcie
