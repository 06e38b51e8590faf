// SPDX-License-Identifier: Apache-2.0
#include "models/protection/key_entry.hpp"

#include <algorithm>

namespace ndsim {

namespace {

bool is_remote(const KeyUse& use) {
    return (use.access & kRemoteAccess) != 0;
}

}  // namespace

bool KeyEntry::allows(const KeyUse& use) const {
    if (!valid || pd != use.pd || (kind == Kind::window && (!is_remote(use) || qp != use.qp))) {
        return false;
    }
    const std::uint64_t base = raw(is_remote(use) ? remote_base : local_base);
    return raw(use.address) >= base && use.length <= length && raw(use.address) - base <= length - use.length &&
           (access & use.access) == use.access;
}

void KeyEntry::translate(const KeyUse& use, std::vector<HostRange>& ranges) const {
    std::uint64_t offset = raw(use.address) - raw(is_remote(use) ? remote_base : local_base);
    if (kind != Kind::fast_register) {
        ranges.push_back({host_base + offset, static_cast<std::uint32_t>(use.length)});
        return;
    }
    offset += first_byte;
    for (std::uint64_t left = use.length; left > 0;) {
        const std::uint64_t in_page = offset % kPage;
        const std::uint64_t bytes = std::min(left, kPage - in_page);
        ranges.push_back({pages[offset / kPage] + in_page, static_cast<std::uint32_t>(bytes)});
        offset += bytes;
        left -= bytes;
    }
}

bool KeyEntry::may_invalidate(PdNum by_pd, QpNum by_qp) const {
    return valid && kind != Kind::region && pd == by_pd && (kind != Kind::window || qp == by_qp);
}

}  // namespace ndsim
