// SPDX-License-Identifier: Apache-2.0
#include "scenarios/result/limit_holders.hpp"

#include <algorithm>
#include <array>

#include "models/nic/nic.hpp"
#include "models/parts/qp_watch.hpp"
#include "models/pcie/posted_credits.hpp"
#include "models/root/iommu.hpp"
#include "scenarios/result/limit_shares.hpp"

namespace ndsim {

namespace {

// A pool that holds a message, or part of it, while the message waits for other pools: it is full whenever one of those
// is the limit. Pools of a higher level also hold those of a lower one.
struct Holder {
    const PoolFacts& pool;
    int level = 0;
};
constexpr std::array kHolders{Holder{Egress::kTxFifoPool, 1},          Holder{QpWatch::kPsnWindowPool, 2},
                              Holder{MessageStarts::kInFlightPool, 3}, Holder{ReadResponses::kBufferPool, 4},
                              Holder{QpWatch::kOutboundReadsPool, 4},  Holder{QpWatch::kInboundReadsPool, 4}};

// Pools whose entries are held while a read or write of the host waits for a page walk: full whenever all walks are
// under way.
constexpr std::array<const PoolFacts*, 9> kBehindWalks{
    &DmaPools::kTagsPool,         &DmaPools::kReadsPool,           &DmaPools::kWritesPool,
    &PostedCredits::kHeadersPool, &PostedCredits::kDataPool,       &Ingress::kRxBufferPool,
    &ReceiveQueues::kAheadPool,   &TranslationCache::kFetchesPool, &ContextCache::kFetchesPool};

int level_of(const PoolFacts* pool) {
    const auto row = std::ranges::find(kHolders, pool, [](const Holder& each) { return &each.pool; });
    return row == kHolders.end() ? 0 : row->level;
}

std::string_view host_of(const Limit& limit) {
    return std::string_view(limit.what).substr(0, limit.what.find('.'));
}

// Counts the limit only for the time in which no inner one was full.
void discount(Limit& limit, std::uint64_t inside) {
    limit.share_ppm = limit.share_ppm * (LimitShares::kAll - std::min(inside, LimitShares::kAll)) / LimitShares::kAll;
}

void discount_behind_walks(std::vector<FoundLimit>& limits) {
    for (const auto& [walks, pool] : limits) {
        if (pool != &Iommu::kWalksPool) {
            continue;
        }
        for (FoundLimit& held : limits) {
            if (std::ranges::count(kBehindWalks, held.pool) > 0 && host_of(held.limit) == host_of(walks)) {
                discount(held.limit, walks.share_ppm);
            }
        }
    }
}

}  // namespace

void discount_holders(std::vector<FoundLimit>& limits) {
    discount_behind_walks(limits);
    for (const int level : {1, 2, 3, 4}) {
        for (FoundLimit& holder : limits) {
            if (level_of(holder.pool) != level) {
                continue;
            }
            Limit& held = holder.limit;
            std::uint64_t inside = 0;
            for (const auto& [limit, pool] : limits) {
                if (limit.kind == LimitKind::pool && level_of(pool) < level &&
                    std::ranges::find_first_of(held.generators, limit.generators) != held.generators.end()) {
                    inside = std::max(inside, limit.share_ppm);
                }
            }
            discount(held, inside);
        }
    }
    std::erase_if(limits, [](const FoundLimit& found) { return found.limit.share_ppm < kLeastLimit; });
}

}  // namespace ndsim
