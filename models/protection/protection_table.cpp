// SPDX-License-Identifier: Apache-2.0
#include "models/protection/protection_table.hpp"

#include <algorithm>

namespace ndsim {

ProtectionTable::ProtectionTable(const sc_core::sc_module_name& name, Timeline& timeline) : Unit(name, timeline) {
    port.bind(*this);
    keys.bind(*this);
    admin.bind(*this);
}

bool ProtectionTable::allows(const KeyUse& use, std::vector<HostRange>* ranges) const {
    if (use.length == 0) {
        return true;
    }
    const bool allowed = use.key == kPrivilegedKey ? permits_logical(use, ranges) : permits(use, ranges);
    if (!allowed) {
        refusals_.set(static_cast<std::uint32_t>(++refused_), now());
    }
    return allowed;
}

bool ProtectionTable::permits(const KeyUse& use, std::vector<HostRange>* ranges) const {
    const KeyEntry* const entry = find(use.key);
    if (entry == nullptr || !entry->allows(use)) {
        return false;
    }
    if (entry->kind == KeyEntry::Kind::fast_register) {
        return permits_pages(*entry, use, ranges);
    }
    if (entry->kind == KeyEntry::Kind::window && find(entry->parent) == nullptr) {
        return false;
    }
    if (ranges != nullptr) {
        entry->translate(use, *ranges);
    }
    return true;
}

// The key itself allows everything, except to peers; the host decides which addresses are mapped.
bool ProtectionTable::permits_logical(const KeyUse& use, std::vector<HostRange>* ranges) const {
    if ((use.access & kRemoteAccess) != 0 || !memory->holds(use.address, use.length)) {
        return false;
    }
    if (ranges != nullptr) {
        ranges->push_back({use.address, static_cast<std::uint32_t>(use.length)});
    }
    return true;
}

bool ProtectionTable::permits_pages(const KeyEntry& entry, const KeyUse& use, std::vector<HostRange>* ranges) const {
    std::vector<HostRange> own;
    std::vector<HostRange>& found = ranges != nullptr ? *ranges : own;
    const std::size_t before = found.size();
    entry.translate(use, found);
    const bool mapped = std::all_of(found.begin() + static_cast<std::ptrdiff_t>(before), found.end(),
                                    [&](const HostRange& range) { return memory->holds(range.at, range.length); });
    if (!mapped) {
        found.resize(before);
    }
    return mapped;
}

WcStatus ProtectionTable::carry_out(const KeyOperation& operation, PdNum pd, QpNum qp) {
    switch (operation.opcode) {
        case WqeOpcode::bind:
            return bind(operation, pd, qp);
        case WqeOpcode::fast_register:
            return fast_register(operation, pd);
        case WqeOpcode::invalidate:
            return end_validity(operation.key, pd, qp, Change::invalidated) ? WcStatus::success
                                                                            : WcStatus::invalidate_error;
        default:
            return WcStatus::loc_qp_op;
    }
}

WcStatus ProtectionTable::bind(const KeyOperation& operation, PdNum pd, QpNum qp) {
    const auto found = entries_.find(key_index(operation.key));
    if (found == entries_.end() || found->second.kind != KeyEntry::Kind::window || found->second.pd != pd) {
        return WcStatus::mw_bind;
    }
    KeyEntry& window = found->second;
    if (window.valid) {
        return WcStatus::invalidate_error;
    }
    // The region must allow a local access of the range; remote rights are the window's own.
    const KeyEntry* const region = find(operation.parent);
    const std::uint8_t needed = (operation.access & kRemoteWrite) != 0 ? kLocalWrite : kLocalRead;
    if (region == nullptr || region->kind != KeyEntry::Kind::region || operation.length == 0 ||
        !region->allows({operation.parent, pd, qp, operation.address, operation.length, needed})) {
        return WcStatus::mw_bind;
    }
    const std::uint64_t offset = raw(operation.address) - raw(region->local_base);
    window.valid = true;
    window.key = operation.key;
    window.qp = qp;
    window.access = operation.access;
    window.length = operation.length;
    window.remote_base = region->remote_base + offset;
    window.host_base = region->host_base + offset;
    window.parent = operation.parent;
    ++binds_;
    changed(window.key, Change::bound);
    return WcStatus::success;
}

WcStatus ProtectionTable::fast_register(const KeyOperation& operation, PdNum pd) {
    const auto found = entries_.find(key_index(operation.key));
    if (found == entries_.end() || found->second.kind != KeyEntry::Kind::fast_register ||
        found->second.key != operation.key || found->second.pd != pd || found->second.valid) {
        return WcStatus::invalidate_error;
    }
    if (operation.length + operation.first_byte > operation.pages.size() * KeyEntry::kPage) {
        return WcStatus::loc_qp_op;
    }
    KeyEntry& region = found->second;
    region.valid = true;
    region.access = operation.access;
    region.length = operation.length;
    region.local_base = operation.address;
    region.remote_base = operation.address;
    region.first_byte = operation.first_byte;
    region.pages = operation.pages;
    ++fast_registers_;
    changed(region.key, Change::fast_registered);
    return WcStatus::success;
}

bool ProtectionTable::invalidate(MrKey key, PdNum pd, QpNum qp, InvalidatedBy by) {
    return end_validity(key, pd, qp,
                        by == InvalidatedBy::peer ? Change::invalidated_by_peer : Change::invalidated_by_read);
}

bool ProtectionTable::end_validity(MrKey key, PdNum pd, QpNum qp, Change change) {
    const auto found = entries_.find(key_index(key));
    if (found == entries_.end() || found->second.key != key || !found->second.may_invalidate(pd, qp)) {
        return false;
    }
    found->second.valid = false;
    ++invalidates_;
    changed(key, change);
    return true;
}

void ProtectionTable::changed(MrKey key, Change change) {
    key_.set(raw(key), now());
    change_.set(change, now());
}

const KeyEntry* ProtectionTable::find(MrKey key) const {
    if (recent_ == nullptr || recent_->key != key) {
        const auto found = entries_.find(key_index(key));
        recent_ = found == entries_.end() || found->second.key != key ? nullptr : &found->second;
    }
    return recent_;
}

void ProtectionTable::add(const MemoryRegion& region) {
    KeyEntry entry;
    entry.kind = KeyEntry::Kind::region;
    entry.valid = true;
    entry.key = region.key;
    entry.pd = region.pd;
    entry.access = region.access;
    entry.length = region.length;
    entry.local_base = region.base;
    entry.remote_base = region.remote_base;
    entry.host_base = region.base;
    entries_[key_index(region.key)] = entry;
    changed(region.key, Change::registered);
}

void ProtectionTable::add(const FreeKey& key) {
    KeyEntry entry;
    entry.kind = key.kind == FreeKey::Kind::window ? KeyEntry::Kind::window : KeyEntry::Kind::fast_register;
    entry.key = key.key;
    entry.pd = key.pd;
    entries_[key_index(key.key)] = entry;
    changed(key.key, Change::created);
}

void ProtectionTable::remove(MrKey key) {
    recent_ = nullptr;
    entries_.erase(key_index(key));
    changed(key, Change::removed);
}

void ProtectionTable::report(StatSink& sink) const {
    sink.add("refused", refused_, StatUnit::count, "accesses refused");
    sink.add("binds", binds_, StatUnit::count, "windows bound");
    sink.add("fast_registers", fast_registers_, StatUnit::count, "regions fast-registered");
    sink.add("invalidates", invalidates_, StatUnit::count, "windows and fast-register regions invalidated");
}

}  // namespace ndsim
