// SPDX-License-Identifier: Apache-2.0
#include "models/translation/translation_cache.hpp"

#include <algorithm>

namespace ndsim {

TranslationCache::TranslationCache(const sc_core::sc_module_name& name, Timeline& timeline,
                                   const TranslationParams& params)
    : Unit(name, timeline),
      params_(params),
      cache_(*this, timeline, *this, dma,
             {.cls = ReadClass::translation,
              .held = params.mtt_entries,
              .fetches = params.mtt_fetches,
              .entry_bytes = params.mtt_bytes.count,
              .table_bytes = kTableBytes,
              .held_pool = kEntriesPool,
              .fetches_pool = kFetchesPool,
              .misses_sentence = "translations that had to be fetched"}) {
    port.bind(*this);
    admin.bind(*this);
}

// The command leaves the region's translations in the NIC; if they do not all fit, the last ones.
void TranslationCache::add(const MemoryRegion& region) {
    const std::uint64_t end = ceil_div(raw(region.base) + region.length, params_.mtt_page.count);
    const std::uint64_t most = std::min<std::uint64_t>(params_.mtt_entries, end);
    for (std::uint64_t page = std::max(raw(region.base) / params_.mtt_page.count, end - most); page < end; ++page) {
        cache_.take_in(page);
    }
}

void TranslationCache::add(const FreeKey&) {}
void TranslationCache::remove(MrKey) {}

std::uint32_t TranslationCache::use(Address address, std::uint32_t length, TranslationClient& client,
                                    std::uint32_t token) {
    const std::uint64_t first = raw(address) / params_.mtt_page.count;
    const std::uint64_t last = (raw(address) + std::max(length, 1U) - 1) / params_.mtt_page.count;
    for (const Range& range : physical_) {
        if (raw(address) - raw(range.base) < range.length) {
            return 0;
        }
    }
    std::uint32_t missing = 0;
    for (std::uint64_t page = first; page <= last; ++page) {
        if (!cache_.use(page)) {
            ++missing;
            cache_.want(page, {&client, token});
        }
    }
    return missing;
}

}  // namespace ndsim
