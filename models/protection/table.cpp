// SPDX-License-Identifier: Apache-2.0
#include "models/protection/table.hpp"

namespace ndsim {

namespace {

// Whether the region, its first byte called `base`, grants this access to [address, address + length).
bool grants(const MemoryRegion& region, PdNum pd, Address base, Address address, std::uint64_t length,
            std::uint8_t access) {
    return region.pd == pd && raw(address) >= raw(base) && length <= region.length &&
           raw(address) - raw(base) <= region.length - length && (region.access & access) == access;
}

}  // namespace

ProtectionTable::ProtectionTable(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline) {
    port.bind(*this);
    admin.bind(*this);
}

bool ProtectionTable::allows(MrKey key, PdNum pd, Address address, std::uint64_t length, std::uint8_t access) const {
    if (length == 0) {
        return true;
    }
    const MemoryRegion* const region = find(key);
    const bool allowed = region != nullptr && grants(*region, pd, region->base, address, length, access);
    refused_ += allowed ? 0 : 1;
    return allowed;
}

std::optional<Address> ProtectionTable::translate(MrKey key, PdNum pd, Address remote, std::uint64_t length,
                                                  std::uint8_t access) const {
    const MemoryRegion* const region = find(key);
    if (region == nullptr || !grants(*region, pd, region->remote_base, remote, length, access)) {
        ++refused_;
        return std::nullopt;
    }
    return region->base + (raw(remote) - raw(region->remote_base));
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
