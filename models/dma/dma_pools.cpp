// SPDX-License-Identifier: Apache-2.0
#include "models/dma/dma_pools.hpp"

namespace ndsim {

DmaPools::DmaPools(Unit& owner, const DmaParams& params, std::uint32_t pcie_tags)
    : tags(owner, kTagsPool, pcie_tags),
      reads(owner, kReadsPool, params.dma_reads_in_flight),
      writes(owner, kWritesPool, params.dma_writes_in_flight),
      by_class{Pool{owner, kWqeReadsPool, params.dma_reads_in_flight},
               Pool{owner, kReceiveWqeReadsPool, params.dma_reads_in_flight},
               Pool{owner, kPayloadReadsPool, params.dma_reads_in_flight},
               Pool{owner, kContextReadsPool, params.dma_reads_in_flight},
               Pool{owner, kTranslationReadsPool, params.dma_reads_in_flight}} {}

}  // namespace ndsim
