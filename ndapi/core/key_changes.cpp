// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/key_changes.hpp"

#include <algorithm>

namespace ndsim::core {

namespace {

// Whether the pages hold all registered bytes, and the base address has the same offset in its page [K125].
bool is_sound(const FastRegistration& what) {
    constexpr std::uint64_t kPage = HostMemory::kPage;
    const auto on_a_page = [](Address page) { return raw(page) % kPage == 0; };
    return what.pages.size() <= what.mr.pages() && what.first_byte < kPage &&
           raw(what.base) % kPage == what.first_byte && what.length > 0 && !what.pages.empty() &&
           what.length <= what.pages.size() * kPage - what.first_byte &&
           std::all_of(what.pages.begin(), what.pages.end(), on_a_page);
}

}  // namespace

NTSTATUS error_of(const Binding& what) {
    if (what.check == RangeCheck::at_post && !what.mr.covers(what.data, what.length)) {
        return STATUS_INVALID_PARAMETER;  // [K131]
    }
    if ((what.access & kRemoteWrite) != 0 && (what.mr.access() & kLocalWrite) == 0) {
        return STATUS_ACCESS_VIOLATION;  // [K130]
    }
    return STATUS_SUCCESS;
}

KeyOperation operation_of(const Binding& what) {
    KeyOperation operation;
    operation.opcode = WqeOpcode::bind;
    operation.key = what.mw.bind(what.mr);
    operation.parent = what.mr.key();
    operation.address = what.mr.address_of(what.data);
    operation.length = what.length;
    operation.access = what.access;
    return operation;
}

NTSTATUS error_of(const FastRegistration& what) {
    if (!is_sound(what)) {
        return STATUS_INVALID_PARAMETER;
    }
    if ((what.access & kRemoteAccess) != 0 && !what.mr.remote_access()) {
        return STATUS_ACCESS_VIOLATION;  // [K123]
    }
    return STATUS_SUCCESS;
}

KeyOperation operation_of(const FastRegistration& what) {
    KeyOperation operation;
    operation.opcode = WqeOpcode::fast_register;
    operation.key = what.mr.key();
    operation.address = what.base;
    operation.length = what.length;
    operation.first_byte = what.first_byte;
    operation.access = what.access;
    operation.pages.assign(what.pages.begin(), what.pages.end());
    return operation;
}

KeyOperation invalidation_of(MrKey key) {
    KeyOperation operation;
    operation.opcode = WqeOpcode::invalidate;
    operation.key = key;
    return operation;
}

}  // namespace ndsim::core
