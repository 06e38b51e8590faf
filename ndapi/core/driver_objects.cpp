// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ndapi/core/driver.hpp"
#include "ndapi/core/mr.hpp"
#include "ndapi/core/mw.hpp"

// The objects of a driver by their numbers and keys.
namespace ndsim::core {

namespace {

constexpr std::uint32_t kKeyStep = 0x100;                // the lower bits are the object's own
constexpr std::uint32_t kKeysOfHost = kKeyStep * 65536;  // until then hosts' keys differ

}  // namespace

std::uint32_t Driver::first_key(HostId host) {
    return raw(kPrivilegedKey) + raw(host) * kKeysOfHost;
}

// The numbers come round some time.
MrKey Driver::new_key() {
    next_key_ = std::max(next_key_ + kKeyStep, raw(kPrivilegedKey) + kKeyStep);
    return MrKey{next_key_};
}

QpNum Driver::add(Qp& qp) {
    qps_.push_back(&qp);
    return QpNum{kFirstQp + static_cast<std::uint32_t>(qps_.size() - 1)};
}

void Driver::remove(QpNum qp) {
    qps_[qp_index(qp)] = nullptr;
}

Qp* Driver::find(QpNum qp) {
    return qp_index(qp) < qps_.size() ? qps_[qp_index(qp)] : nullptr;
}

CqNum Driver::add(Cq& cq) {
    cqs_.push_back(&cq);
    return CqNum{static_cast<std::uint32_t>(cqs_.size() - 1)};
}

void Driver::remove(CqNum cq) {
    cqs_[raw(cq)] = nullptr;
}

Cq* Driver::find(CqNum cq) {
    return raw(cq) < cqs_.size() ? cqs_[raw(cq)] : nullptr;
}

SrqNum Driver::add(Srq& srq) {
    srqs_.push_back(&srq);
    return SrqNum{static_cast<std::uint32_t>(srqs_.size() - 1)};
}

void Driver::remove(SrqNum srq) {
    srqs_[raw(srq)] = nullptr;
}

void Driver::add(Mr& mr) {
    mrs_[mr.key()] = &mr;
}
void Driver::remove(MrKey key) {
    mrs_.erase(key);
}

const Mr* Driver::find(MrKey key) const {
    const auto found = mrs_.find(key);
    return found == mrs_.end() ? nullptr : found->second;
}

void Driver::add(Mw& mw) {
    mws_[key_index(mw.key())] = &mw;
}
void Driver::remove(Mw& mw) {
    mws_.erase(key_index(mw.key()));
}

void Driver::key_died(MrKey key) {
    if (const auto found = mws_.find(key_index(key)); found != mws_.end()) {
        found->second->unbind(key);
    }
}

}  // namespace ndsim::core
