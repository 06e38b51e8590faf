// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/dma/dma_params.hpp"
#include "models/ports/dma.hpp"
#include "sim/kernel/pool.hpp"

namespace ndsim {

// DmaPools: limits of the DMA engine's work under way. A read request takes a unit of `tags`, of `reads` and of its
// class, a write one of `writes`. Results show the pools in this order.
struct DmaPools {
    static constexpr PoolFacts kTagsPool{"tags",      "PCIe tags in use",   PoolUnit::tags,
                                         "pcie.tags", WhenFull::read_limit, {"nic.dma.reads_blocked"}};
    static constexpr PoolFacts kReadsPool{"reads_in_flight",    "read requests sent and not yet answered",
                                          PoolUnit::reads,      "nic.dma_reads_in_flight",
                                          WhenFull::read_limit, {"nic.dma.reads_blocked"}};
    static constexpr PoolFacts kWritesPool{"writes_in_flight", "writes given to PCIe and not yet on the link",
                                           PoolUnit::writes, "nic.dma_writes_in_flight", WhenFull::limit};
    // Parts of kReadsPool.
    static constexpr PoolFacts kWqeReadsPool{"wqe_reads", "read requests in flight for WQEs", PoolUnit::reads,
                                             "nic.dma_reads_in_flight", WhenFull::part};
    static constexpr PoolFacts kReceiveWqeReadsPool{"receive_wqe_reads", "read requests in flight for receive WQEs",
                                                    PoolUnit::reads, "nic.dma_reads_in_flight", WhenFull::part};
    static constexpr PoolFacts kPayloadReadsPool{"payload_reads", "read requests in flight for payload",
                                                 PoolUnit::reads, "nic.dma_reads_in_flight", WhenFull::part};
    static constexpr PoolFacts kContextReadsPool{"context_reads", "read requests in flight for contexts",
                                                 PoolUnit::reads, "nic.dma_reads_in_flight", WhenFull::part};
    static constexpr PoolFacts kTranslationReadsPool{"translation_reads", "read requests in flight for translations",
                                                     PoolUnit::reads, "nic.dma_reads_in_flight", WhenFull::part};

    DmaPools(Unit& owner, const DmaParams& params, std::uint32_t pcie_tags);

    Pool tags;
    Pool reads;
    Pool writes;
    std::array<Pool, kReadClasses> by_class;
};

}  // namespace ndsim
