// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/registry.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ndsim::core {

namespace {

constexpr std::uint32_t kKeyStep = 0x100;                // the lower bits are the object's own
constexpr std::uint32_t kKeysOfHost = kKeyStep * 65536;  // until then hosts' keys differ

}  // namespace

Registry::Registry(HostId host) : next_key_(raw(kPrivilegedKey) + raw(host) * kKeysOfHost) {}

QpNum Registry::add(RegisteredQp& qp) {
    const std::uint32_t index = qps_.add(qp);
    if (index >= kQpPlaces) {
        throw std::length_error("a host has more than " + std::to_string(kQpPlaces) + " queue pairs at a time");
    }
    return qp_number(index, qps_.places()[index].lives - 1);
}

void Registry::remove(QpNum qp) {
    qps_.remove(qp_index(qp));
}

RegisteredQp* Registry::find(QpNum qp) const {
    RegisteredQp* const found = qps_.find(qp_index(qp));
    return found != nullptr && found->number() == qp ? found : nullptr;
}

std::vector<RegisteredQp*> Registry::qps() const {
    std::vector<RegisteredQp*> all;
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

void Registry::add(RegisteredMr& mr) {
    mrs_[mr.key()] = &mr;
}

const RegisteredMr* Registry::find(MrKey key) const {
    const auto found = mrs_.find(key);
    return found == mrs_.end() ? nullptr : found->second;
}

void Registry::add(RegisteredMw& mw) {
    mws_[key_index(mw.key())] = &mw;
}

void Registry::remove(RegisteredMw& mw) {
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
