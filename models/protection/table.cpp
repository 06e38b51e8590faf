// SPDX-License-Identifier: Apache-2.0
#include "models/protection/table.hpp"

namespace ndsim {

ProtectionTable::ProtectionTable(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline) {
    port.bind(*this);
    admin.bind(*this);
}

bool ProtectionTable::allows(MrKey key, PdNum pd, Address address, std::uint64_t length, std::uint8_t access) const {
    if (length == 0) {
        return true;
    }
    if (recent_ == nullptr || recent_->key != key) {
        const auto found = regions_.find(key);
        recent_ = found == regions_.end() ? nullptr : &found->second;
    }
    const bool allowed = recent_ != nullptr && recent_->pd == pd && raw(address) >= raw(recent_->base) &&
                         length <= recent_->length && raw(address) - raw(recent_->base) <= recent_->length - length &&
                         (recent_->access & access) == access;
    refused_ += allowed ? 0 : 1;
    return allowed;
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
