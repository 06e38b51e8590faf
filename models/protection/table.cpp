// SPDX-License-Identifier: Apache-2.0
#include "models/protection/table.hpp"

namespace ndsim {

namespace {

// How the user of a key calls the region's first byte.
Address base_of(const MemoryRegion& region, const KeyUse& use) {
    return (use.access & (kRemoteRead | kRemoteWrite)) != 0 ? region.remote_base : region.base;
}

bool grants(const MemoryRegion& region, const KeyUse& use) {
    const std::uint64_t base = raw(base_of(region, use));
    return region.pd == use.pd && raw(use.address) >= base && use.length <= region.length &&
           raw(use.address) - base <= region.length - use.length && (region.access & use.access) == use.access;
}

}  // namespace

ProtectionTable::ProtectionTable(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline) {
    port.bind(*this);
    admin.bind(*this);
}

bool ProtectionTable::allows(const KeyUse& use, std::vector<HostRange>* ranges) const {
    if (use.length == 0) {
        return true;
    }
    const MemoryRegion* const region = find(use.key);
    if (region == nullptr || !grants(*region, use)) {
        ++refused_;
        return false;
    }
    if (ranges != nullptr) {
        const std::uint64_t offset = raw(use.address) - raw(base_of(*region, use));
        ranges->push_back({region->base + offset, static_cast<std::uint32_t>(use.length)});
    }
    return true;
}

const MemoryRegion* ProtectionTable::find(MrKey key) const {
    if (recent_ == nullptr || recent_->key != key) {
        const auto found = regions_.find(key);
        recent_ = found == regions_.end() ? nullptr : &found->second;
    }
    return recent_;
}

void ProtectionTable::add(const MemoryRegion& region) {
    recent_ = nullptr;
    regions_[region.key] = region;
}

void ProtectionTable::remove(MrKey key) {
    recent_ = nullptr;
    regions_.erase(key);
}

void ProtectionTable::report(StatSink& sink) const {
    sink.add("refused", refused_, StatUnit::count, "accesses refused");
}

}  // namespace ndsim
