// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/parts/table_cache.hpp"
#include "models/ports/protection.hpp"
#include "models/ports/translation.hpp"
#include "models/translation/translation_params.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// A read or write that waits for a translation.
struct TranslationWaiter {
    TranslationClient* client = nullptr;
    std::uint32_t token = 0;

    friend bool operator==(const TranslationWaiter&, const TranslationWaiter&) = default;
};

// TranslationCache: the table of page translations is in host memory; the NIC holds the most recently used ones.
// Payload in a page without a translation waits until it has been read.
class TranslationCache final : public Unit,
                               public TranslationPort,
                               public ProtectionAdmin,
                               private TableClient<TranslationWaiter> {
public:
    static constexpr PoolFacts kEntriesPool{"entries", "translations held", PoolUnit::translations, "nic.mtt_entries"};
    static constexpr PoolFacts kFetchesPool{"fetches", "translations being fetched", PoolUnit::translations,
                                            "nic.mtt_fetches", WhenFull::limit};

    static constexpr std::uint64_t kTableBytes = 1ULL << 20U;

    sc_core::sc_export<TranslationPort> port{"port"};
    sc_core::sc_export<ProtectionAdmin> admin{"admin"};
    sc_core::sc_port<DmaPort> dma{"dma"};

    TranslationCache(const sc_core::sc_module_name& name, Timeline& timeline, const TranslationParams& params);

    // From here on the translations are in host memory. If there are more than fit, some share a place.
    void table_at(Address base) { cache_.table_at(base); }
    // Memory here is used by physical address and needs no translation.
    void add_physical(Address base, std::uint64_t length) { physical_.push_back({base, length}); }
    std::uint32_t use(Address address, std::uint32_t length, TranslationClient& client, std::uint32_t token) override;
    void add(const MemoryRegion& region) override;
    void add(const FreeKey& key) override;
    void remove(MrKey key) override;
    void report(StatSink& sink) const override { cache_.report(sink); }
    void check_idle() const override { cache_.check_idle(); }

private:
    // A range of physical addresses.
    struct Range {
        Address base{};
        std::uint64_t length = 0;
    };

    void entry_arrived(const TranslationWaiter& waiter) override { waiter.client->translated(waiter.token); }

    const TranslationParams params_;
    std::vector<Range> physical_;
    TableCache<TranslationWaiter> cache_;  // by page
};

}  // namespace ndsim
