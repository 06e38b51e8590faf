// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/units.hpp"
#include "sim/config/field.hpp"

namespace ndsim {

// The NIC's DMA engine. Defaults are preset B's.
struct DmaParams {
    std::uint32_t dma_reads_in_flight = 128;
    std::uint32_t dma_writes_in_flight = 64;
    std::uint32_t dma_reserved_reads = 2;

    template <class Field>
    void fields(Field&& field) {
        field("dma_reads_in_flight", dma_reads_in_flight, between(4U, 15360U),
              "read requests sent and not yet answered", Mark::estimate,
              bound_counted_by("nic.dma.read_waits", "no read waited for one"));
        field("dma_writes_in_flight", dma_writes_in_flight, between(1U, 65536U),
              "writes given to PCIe and not yet on the link", Mark::estimate);
        field("dma_reserved_reads", dma_reserved_reads, between(0U, 64U),
              "read requests reserved for each class of reads", Mark::estimate,
              counted_by("pcie.read_requests", "the NIC read nothing"));
    }
};

}  // namespace ndsim
