// SPDX-License-Identifier: Apache-2.0
#include "models/protection/protection_table.hpp"

#include <algorithm>

#include "models/protection/bind_and_register.hpp"

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

// A window has its keys one after the other, and the numbers wrap.
WindowKey ProtectionTable::state_of(MrKey window) const {
    const auto found = entries_.find(key_index(window));
    if (found == entries_.end()) {
        return WindowKey::over;
    }
    const KeyEntry& entry = found->second;
    if (static_cast<std::int8_t>(raw(window) - raw(entry.key)) > 0) {
        return WindowKey::to_come;
    }
    return entry.valid && entry.key == window ? WindowKey::bound : WindowKey::over;
}

WcStatus ProtectionTable::carry_out(const KeyOperation& operation, PdNum pd, QpNum qp) {
    const auto found = entries_.find(key_index(operation.key));
    KeyEntry* const entry = found == entries_.end() ? nullptr : &found->second;
    switch (operation.opcode) {
        case WqeOpcode::bind: {
            const WcStatus status = bind(entry, find(operation.parent), operation, pd, qp);
            return noted(status, binds_, operation.key, Change::bound);
        }
        case WqeOpcode::fast_register:
            return noted(fast_register(entry, operation, pd), fast_registers_, operation.key, Change::fast_registered);
        case WqeOpcode::invalidate:
            return end_validity(operation.key, pd, qp, Change::invalidated) ? WcStatus::success
                                                                            : WcStatus::invalidate_error;
        default:
            return WcStatus::loc_qp_op;
    }
}

// An operation on `key` has ended with `status`; `successes` counts those of its kind.
WcStatus ProtectionTable::noted(WcStatus status, std::uint64_t& successes, MrKey key, Change change) {
    if (status == WcStatus::success) {
        ++successes;
        changed(key, change);
    }
    return status;
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
    ++changes_;
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
