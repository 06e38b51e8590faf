// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/dma/dma_params.hpp"
#include "models/parts/pcie_params.hpp"
#include "models/root/root_params.hpp"
#include "sim/base/exact_rate.hpp"

// A slow model of DMA over PCIe, beside the simulator's units, and formulae for both.
namespace ndsim::reference::pcie {

inline constexpr std::uint64_t kHalf = 512U << 10U;  // of the memory: reads below, writes above

// What both models are built from.
struct Setup {
    PcieParams pcie;
    DmaParams dma;
    RootParams root;
    Bytes forward_grain{512};
};

enum class Kind : std::uint8_t { read, write };

// One DMA transfer of a contiguous piece. Addresses count from a boundary of 4 KiB. Transfers are in the order of
// their times, and read nothing that is written.
struct Transfer {
    Kind kind{};
    Picoseconds at{};  // given to the DMA engine
    std::uint64_t address = 0;
    std::uint32_t length = 0;
    Picoseconds grain_in{};  // a write: its first grain is in the NIC so long after `at`,
    Picoseconds all_in{};    // and its last byte so long
};

// Read: the forward grain and the last byte are in the NIC. Write: it has left the NIC and is visible in memory.
struct Times {
    Picoseconds first{};
    Picoseconds last{};
    friend bool operator==(const Times&, const Times&) = default;
};

// When everything is over.
[[nodiscard]] inline Picoseconds end_of(const std::vector<Times>& times) {
    Picoseconds end{};
    for (const Times& each : times) {
        end = std::max(end, each.last);
    }
    return end;
}

}  // namespace ndsim::reference::pcie
