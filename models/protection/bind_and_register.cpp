// SPDX-License-Identifier: Apache-2.0
#include "models/protection/bind_and_register.hpp"

namespace ndsim {

WcStatus bind(KeyEntry* window, const KeyEntry* region, const KeyOperation& operation, PdNum pd, QpNum qp) {
    if (window == nullptr || window->kind != KeyEntry::Kind::window || window->pd != pd) {
        return WcStatus::mw_bind;
    }
    if (window->valid) {
        return WcStatus::invalidate_error;
    }
    // The region must allow a local access of the range; remote rights are the window's own.
    const std::uint8_t needed = (operation.access & kRemoteWrite) != 0 ? kLocalWrite : kLocalRead;
    if (region == nullptr || region->kind != KeyEntry::Kind::region || operation.length == 0 ||
        !region->allows({operation.parent, pd, qp, operation.address, operation.length, needed})) {
        return WcStatus::mw_bind;
    }
    const std::uint64_t offset = raw(operation.address) - raw(region->local_base);
    window->valid = true;
    window->key = operation.key;
    window->qp = qp;
    window->access = operation.access;
    window->length = operation.length;
    window->remote_base = region->remote_base + offset;
    window->host_base = region->host_base + offset;
    window->parent = operation.parent;
    return WcStatus::success;
}

WcStatus fast_register(KeyEntry* region, const KeyOperation& operation, PdNum pd) {
    if (region == nullptr || region->kind != KeyEntry::Kind::fast_register || region->key != operation.key ||
        region->pd != pd || region->valid) {
        return WcStatus::invalidate_error;
    }
    const std::uint64_t room = operation.pages.size() * KeyEntry::kPage;
    if (operation.first_byte > room || operation.length > room - operation.first_byte) {
        return WcStatus::loc_qp_op;
    }
    region->valid = true;
    region->access = operation.access;
    region->length = operation.length;
    region->local_base = operation.address;
    region->remote_base = operation.address;
    region->first_byte = operation.first_byte;
    region->pages = operation.pages;
    return WcStatus::success;
}

}  // namespace ndsim
