// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/dma/dma_engine.hpp"
#include "models/pcie/pcie_link.hpp"
#include "models/root/root_complex.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/nic_doubles.hpp"

namespace ndsim::test {

// The way from the NIC to host memory and back, of preset B: DMA engine, link, root complex. Memory is in DRAM, but for
// what a test puts into the cache.
struct HostPath : Bench {
    HostPath()
        : link("link", timeline, {}),
          root("root", timeline, {}, {}, payloads),
          dma("dma", timeline, {}, {}, 512_B, ledgers) {
        link.client.bind(dma.link_events);
        link.bar.bind(bar);
        link.root.bind(root.port);
        root.link.bind(link.root_events);
        root.memory.bind(memory);
        root.interrupts.bind(interrupts);
        dma.link.bind(link.device);
        dma.translation.bind(translations);
    }

    // 40625/608 ps a byte, rounded up.
    static constexpr Picoseconds ser(std::int64_t bytes) { return Picoseconds{(bytes * 40625 + 607) / 608}; }
    static constexpr Picoseconds kOneWay = std::chrono::nanoseconds{135};
    static constexpr Picoseconds kVisible = std::chrono::nanoseconds{80};  // write_visible
    static constexpr Picoseconds kDram = std::chrono::nanoseconds{200};    // llc_read and dram_extra
    // A read of so few bytes that one completion brings them.
    static constexpr Picoseconds from_dram(std::int64_t bytes) {
        return ser(24) + kOneWay + kDram + ser(bytes + 20) + kOneWay;
    }

    Memory memory{1U << 20U};
    Interrupts interrupts;
    Bar bar;
    Translations translations;
    PcieLink link;
    RootComplex root;
    DmaEngine dma;
};

}  // namespace ndsim::test
