// SPDX-License-Identifier: Apache-2.0
#include "models/translation/cache.hpp"

#include <algorithm>

#include "models/ports/ranks.hpp"
#include "sim/base/error.hpp"
#include "sim/base/slots.hpp"

namespace ndsim {

TranslationCache::TranslationCache(const sc_core::sc_module_name& name, Timeline& timeline,
                                   const TranslationParams& params)
    : Unit(name, timeline),
      params_(params),
      scratch_(params.mtt_bytes.count),
      arrivals_(*this, timeline, kRankContext),
      fetches_(*this, "fetches", "translations on their way", params.mtt_fetches),
      entries_(*this, "entries", "translations held", params.mtt_entries) {
    port.bind(*this);
    admin.bind(*this);
}

// The command leaves the region's translations in the NIC, the last ones if they do not all fit.
void TranslationCache::add(const MemoryRegion& region) {
    const std::uint64_t end = ceil_div(raw(region.base) + region.length, params_.mtt_page.count);
    const std::uint64_t most = std::min<std::uint64_t>(params_.mtt_entries, end);
    for (std::uint64_t page = std::max(raw(region.base) / params_.mtt_page.count, end - most); page < end; ++page) {
        take_in(page);
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
        missing += knows(page, {&client, token}) ? 0 : 1;
    }
    fetch();
    return missing;
}

bool TranslationCache::knows(std::uint64_t page, const Waiter& waiter) {
    if (held_.use(page) != nullptr) {
        return true;
    }
    if (const std::uint32_t* const slot = slots_.look(page)) {
        wanted_[*slot].waiters.push_back(waiter);
        return false;
    }
    ++misses_;
    const std::uint32_t slot = take_slot(wanted_, free_);
    wanted_[slot].page = page;
    wanted_[slot].waiters.assign(1, waiter);
    slots_.insert(page, slot);
    waiting_.push(slot);
    return false;
}

void TranslationCache::take_in(std::uint64_t page) {
    if (held_.use(page) != nullptr) {
        return;
    }
    if (held_.size() == params_.mtt_entries) {
        held_.take_oldest();
        entries_.give(1, now());
    }
    held_.insert(page, {});
    entries_.take(1, now());
}

void TranslationCache::fetch() {
    while (!waiting_.empty() && fetches_.available(now()) > 0) {
        const std::uint32_t slot = waiting_.front();
        const std::uint64_t bytes = scratch_.size();
        const Address from = table_ + wanted_[slot].page % (kTableBytes / bytes) * bytes;
        const ReadPiece piece{from, static_cast<std::uint32_t>(bytes), scratch_.data()};
        if (!dma->try_read(ReadClass::translation, {&piece, 1}, slot, {}, *this)) {
            return;  // read_space() follows
        }
        waiting_.pop();
        fetches_.take(1, now());
    }
}

void TranslationCache::read_space(ReadClass) {
    fetch();
}

void TranslationCache::read_arrives(std::uint32_t slot, Interval data) {
    arrivals_.push(std::max(now(), data.end), slot);
}

void TranslationCache::arrived(const std::uint32_t& slot) {
    fetches_.give(1, now());
    const std::uint64_t page = wanted_[slot].page;
    slots_.erase(page);
    take_in(page);
    told_.swap(wanted_[slot].waiters);
    free_.push_back(slot);
    for (const Waiter& waiter : told_) {
        waiter.client->translated(waiter.token);
    }
    told_.clear();
    fetch();
}

void TranslationCache::report(StatSink& sink) const {
    sink.add("misses", misses_, StatUnit::count, "translations that had to be fetched");
}

void TranslationCache::check_idle() const {
    if (free_.size() != wanted_.size() || fetches_.occupancy().level() > 0) {
        throw InvariantError(name(), now(), "translations are still being fetched at the end");
    }
}

}  // namespace ndsim
