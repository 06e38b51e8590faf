// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>
#include <string>

#include "ndapi/core/driver.hpp"
#include "ndapi/core/mr.hpp"
#include "ndapi/core/mw.hpp"
#include "ndapi/core/qp.hpp"

// The objects of a driver by their numbers and keys.
namespace ndsim::core {

namespace {

constexpr std::uint32_t kKeyStep = 0x100;                // the lower bits are the object's own
constexpr std::uint32_t kKeysOfHost = kKeyStep * 65536;  // hosts' first keys are this far apart

}  // namespace

std::uint32_t Driver::first_key(HostId host) {
    return raw(kPrivilegedKey) + raw(host) * kKeysOfHost;
}

// The numbers wrap at some time.
MrKey Driver::new_key() {
    next_key_ = std::max(next_key_ + kKeyStep, raw(kPrivilegedKey) + kKeyStep);
    return MrKey{next_key_};
}

QpNum Driver::add(Qp& qp) {
    const std::uint32_t index = qps_.add(qp);
    if (index >= kQpPlaces) {
        throw std::length_error("a host has more than " + std::to_string(kQpPlaces) + " queue pairs at a time");
    }
    return qp_number(index, qps_.places()[index].lives - 1);
}

void Driver::remove(QpNum qp) {
    qps_.remove(qp_index(qp));
}

Qp* Driver::find(QpNum qp) {
    Qp* const found = qps_.find(qp_index(qp));
    return found != nullptr && found->number() == qp ? found : nullptr;
}

CqNum Driver::add(Cq& cq) {
    return CqNum{cqs_.add(cq)};
}

void Driver::remove(CqNum cq) {
    cqs_.remove(raw(cq));
}

Cq* Driver::find(CqNum cq) {
    return cqs_.find(raw(cq));
}

SrqNum Driver::add(Srq& srq) {
    return SrqNum{srqs_.add(srq)};
}

void Driver::remove(SrqNum srq) {
    srqs_.remove(raw(srq));
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
