// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/registry.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "ndapi/core/mw.hpp"
#include "ndapi/core/qp.hpp"

namespace ndsim::core {

namespace {

constexpr std::uint32_t kKeyStep = 0x100;                // the lower bits are the object's own
constexpr std::uint32_t kKeysOfHost = kKeyStep * 65536;  // until then hosts' keys differ

}  // namespace

Registry::Registry(HostId host) : next_key_(raw(kPrivilegedKey) + raw(host) * kKeysOfHost) {}

QpNum Registry::add(Qp& qp) {
    const std::uint32_t index = qps_.add(qp);
    if (index >= kQpPlaces) {
        throw std::length_error("a host has more than " + std::to_string(kQpPlaces) + " queue pairs at a time");
    }
    return qp_number(index, qps_.places()[index].lives - 1);
}

void Registry::remove(QpNum qp) {
    qps_.remove(qp_index(qp));
}

Qp* Registry::find(QpNum qp) const {
    Qp* const found = qps_.find(qp_index(qp));
    return found != nullptr && found->number() == qp ? found : nullptr;
}

std::vector<Qp*> Registry::qps() const {
    std::vector<Qp*> all;
    for (const auto& [qp, lives] : qps_.places()) {
        if (qp != nullptr) {
            all.push_back(qp);
        }
    }
    return all;
}

// The numbers wrap.
MrKey Registry::new_key() {
    next_key_ = std::max(next_key_ + kKeyStep, raw(kPrivilegedKey) + kKeyStep);
    return MrKey{next_key_};
}

void Registry::add(Mr& mr) {
    mrs_[mr.key()] = &mr;
}

const Mr* Registry::find(MrKey key) const {
    const auto found = mrs_.find(key);
    return found == mrs_.end() ? nullptr : found->second;
}

void Registry::add(Mw& mw) {
    mws_[key_index(mw.key())] = &mw;
}

void Registry::remove(Mw& mw) {
    mws_.erase(key_index(mw.key()));
}

void Registry::key_died(MrKey key) {
    if (const auto found = mws_.find(key_index(key)); found != mws_.end()) {
        found->second->unbind(key);
    }
}

void Registry::key_lives(MrKey key) {
    if (const auto found = mws_.find(key_index(key)); found != mws_.end()) {
        found->second->invalidation_failed();
    }
}

}  // namespace ndsim::core
