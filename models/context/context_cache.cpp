// SPDX-License-Identifier: Apache-2.0
#include "models/context/context_cache.hpp"

namespace ndsim {

ContextCache::ContextCache(const sc_core::sc_module_name& name, Timeline& timeline, const ContextParams& params)
    : Unit(name, timeline),
      cache_(*this, timeline, *this, dma,
             {.cls = ReadClass::context,
              .held = params.qp_context_entries,
              .fetches = params.qp_context_fetches,
              .entry_bytes = params.qp_context_bytes.count,
              .table_bytes = kTableBytes,
              .held_pool = kEntriesPool,
              .fetches_pool = kFetchesPool,
              .misses_sentence = "contexts that had to be fetched"}) {
    port.bind(*this);
    lifecycle.bind(*this);
}

// The command leaves the context in the NIC.
void ContextCache::create_qp(const QpAttributes& attributes) {
    cache_.take_in(qp_index(attributes.qp));
}

bool ContextCache::use(QpNum qp, ContextClient& client) {
    const std::uint32_t index = qp_index(qp);
    if (cache_.use(index)) {
        return true;
    }
    if (const ContextWaiter waiter{&client, qp}; !cache_.waits(index, waiter)) {
        cache_.want(index, waiter);
    }
    return false;
}

}  // namespace ndsim
