// SPDX-License-Identifier: Apache-2.0
#include "models/root/iommu.hpp"

#include <algorithm>

namespace ndsim {

Iommu::Iommu(Unit& owner, const IommuParams& params)
    : params_(params),
      iotlb_{params.iotlb_entries, params.miss, {}},
      write_iotlb_{params.write_iotlb_entries, params.write_miss, {}},
      walks_(owner, kWalksPool, params.parallel_walks) {}

Picoseconds Iommu::translated(IommuUse use, Address address, std::uint64_t length, Picoseconds at) {
    if (!params_.enabled) {
        return at;
    }
    const std::uint64_t first = raw(address) / params_.page.count;
    const std::uint64_t last = (raw(address) + std::max<std::uint64_t>(length, 1) - 1) / params_.page.count;
    Picoseconds known = at;
    for (std::uint64_t page = first; page <= last; ++page) {
        known = std::max(known, translated_page(use, page, at));
    }
    return known;
}

Picoseconds Iommu::translated_page(IommuUse use, std::uint64_t page, Picoseconds at) {
    if (!params_.ats) {
        return walked(use, page, at);
    }
    if (const Page* const mine = atc_.use(page)) {
        return std::max(at, mine->known);
    }
    ++ats_requests_;
    if (params_.atc_entries == 0) {
        return at + params_.ats_rtt;
    }
    if (atc_.size() == params_.atc_entries) {
        atc_.take_oldest();
    }
    return atc_.insert(page, {at + params_.ats_rtt}).known;
}

Picoseconds Iommu::walked(IommuUse use, std::uint64_t page, Picoseconds at) {
    Iotlb& iotlb = use == IommuUse::write && write_iotlb_.entries > 0 ? write_iotlb_ : iotlb_;
    if (const Page* const kept = iotlb.pages.use(page)) {
        ++iotlb_hits_;
        return std::max(at, kept->known);
    }
    ++iotlb_misses_;
    // Every walk under way knows its end, so the time of the next free one is known.
    const Picoseconds begins = *walks_.when_available(1, at);
    const Picoseconds ends = begins + iotlb.miss;
    walks_.hold(1, {begins, ends});
    if (iotlb.pages.size() == iotlb.entries) {
        iotlb.pages.take_oldest();
    }
    return iotlb.pages.insert(page, {ends}).known;
}

void Iommu::report(StatSink& sink) const {
    sink.add("iotlb_hits", iotlb_hits_, StatUnit::count, "pages found in the IOTLB");
    sink.add("iotlb_misses", iotlb_misses_, StatUnit::count, "page walks");
    sink.add("ats_requests", ats_requests_, StatUnit::count, "translations that the device asked for");
}

}  // namespace ndsim
