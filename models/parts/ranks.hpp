// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ndsim {

// The order of work at the same picosecond within one node. It follows the path of the data, so that work handed on
// without delay is done at once, and software sees what the hardware did.
enum Rank : std::uint32_t {
    kRankIngress,    // a packet has come through the receive pipeline
    kRankCommit,     // a posted write is visible in host memory, so that a read of the same time finds it
    kRankRoot,       // the root complex has a read's data
    kRankContext,    // a context has been fetched
    kRankStore,      // a store of the CPU reaches the root port
    kRankDoorbell,   // a doorbell is decoded
    kRankControl,    // a command takes effect
    kRankWqe,        // WQEs have arrived; queue pairs are served
    kRankTransport,  // a packet is built
    kRankLink,       // a PCIe direction is free again
    kRankEgress,     // the lane is free again
    kRankInterrupt,  // an interrupt reaches the CPU
    kRankCpu,        // software continues
};

}  // namespace ndsim
