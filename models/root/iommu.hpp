// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/root/iommu_params.hpp"
#include "sim/base/ids.hpp"
#include "sim/base/lru_cache.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/stats.hpp"

namespace ndsim {

// The kind of transfer that needs a translation.
enum class IommuUse : std::uint8_t { read, write };

// Iommu: translates the addresses of a device's transfers, page by page. The IOTLB keeps the most recently used pages;
// any other page takes a walk, and the number of walks at once is limited. Writes may have their own IOTLB. With ATS
// the device itself keeps translations, and asks the IOMMU for those that it lacks.
class Iommu {
public:
    static constexpr PoolFacts kWalksPool{"walks", "page walks under way", PoolUnit::walks, "iommu.parallel_walks",
                                          WhenFull::limit};

    Iommu(Unit& owner, const IommuParams& params);

    // When all of [address, address + length) is translated, for a transfer that arrives at `at`.
    [[nodiscard]] Picoseconds translated(IommuUse use, Address address, std::uint64_t length, Picoseconds at);
    void report(StatSink& sink) const;

private:
    // A translation that is kept.
    struct Page {
        Picoseconds known{};  // end of its walk, or arrival of the answer
    };
    // The translations that the root complex keeps.
    struct Iotlb {
        std::uint32_t entries = 0;
        Picoseconds miss{};
        LruCache<Page> pages;
    };

    [[nodiscard]] Picoseconds translated_page(IommuUse use, std::uint64_t page, Picoseconds at);
    [[nodiscard]] Picoseconds walked(IommuUse use, std::uint64_t page, Picoseconds at);

    const IommuParams params_;
    Iotlb iotlb_;
    Iotlb write_iotlb_;  // used if it has entries
    LruCache<Page> atc_;
    Pool walks_;
    std::uint64_t iotlb_hits_ = 0;
    std::uint64_t iotlb_misses_ = 0;
    std::uint64_t ats_requests_ = 0;
};

}  // namespace ndsim
