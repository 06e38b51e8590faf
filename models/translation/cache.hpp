// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ports/dma.hpp"
#include "models/ports/protection.hpp"
#include "models/ports/translation.hpp"
#include "models/translation/translation_params.hpp"
#include "sim/base/lru_cache.hpp"
#include "sim/kernel/agenda.hpp"
#include "sim/kernel/pool.hpp"
#include "sim/kernel/unit.hpp"

namespace ndsim {

// TranslationCache: which pages are where in host memory is written in host memory, too; the NIC holds the translations
// used last. Payload of a page that it does not know waits until it has been read.
class TranslationCache final : public Unit, public TranslationPort, public ProtectionAdmin, public ReadClient {
public:
    static constexpr std::uint64_t kTableBytes = 1ULL << 20U;

    sc_core::sc_export<TranslationPort> port{"port"};
    sc_core::sc_export<ProtectionAdmin> admin{"admin"};
    sc_core::sc_port<DmaPort> dma{"dma"};

    TranslationCache(const sc_core::sc_module_name& name, Timeline& timeline, const TranslationParams& params);

    // The translations are in host memory from here on; if there are more than fit, some share their place.
    void table_at(Address base) { table_ = base; }
    // Who uses this memory knows where it is, and needs no translation.
    void add_physical(Address base, std::uint64_t length) { physical_.push_back({base, length}); }
    std::uint32_t use(Address address, std::uint32_t length, TranslationClient& client, std::uint32_t token) override;
    void add(const MemoryRegion& region) override;
    void add(const FreeKey& key) override;
    void remove(MrKey key) override;
    void read_arrives(std::uint32_t slot, Interval data) override;
    void read_space(ReadClass cls) override;
    void report(StatSink& sink) const override;
    void check_idle() const override;

private:
    struct Held {};
    struct Range {
        Address base{};
        std::uint64_t length = 0;
    };
    struct Waiter {
        TranslationClient* client = nullptr;
        std::uint32_t token = 0;
    };
    struct Wanted {
        std::uint64_t page = 0;
        std::vector<Waiter> waiters;
    };

    void arrived(const std::uint32_t& slot);  // Agenda: a translation is in the NIC

    [[nodiscard]] bool knows(std::uint64_t page, const Waiter& waiter);
    void take_in(std::uint64_t page);
    void fetch();

    const TranslationParams params_;
    Address table_{};
    std::vector<Range> physical_;
    LruCache<Held> held_;
    LruCache<std::uint32_t> slots_;  // of the pages that are wanted
    std::vector<Wanted> wanted_;
    std::vector<std::uint32_t> free_;
    Ring<std::uint32_t> waiting_;     // slots still to be fetched
    std::vector<std::byte> scratch_;  // where fetched bytes go: addresses of host memory need no change
    std::vector<Waiter> told_;

    Agenda<std::uint32_t, &TranslationCache::arrived> arrivals_;
    Pool fetches_;
    Pool entries_;
    std::uint64_t misses_ = 0;
};

}  // namespace ndsim
