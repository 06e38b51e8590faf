// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/connection_manager.hpp"

#include <algorithm>

namespace ndsim::core {

namespace {

constexpr std::uint16_t kFirstEphemeral = 49152;

}  // namespace

std::uint32_t ConnectionManager::add(Connector& connector) {
    connectors_[next_id_] = &connector;
    return next_id_++;
}

NTSTATUS ConnectionManager::add(Listener& listener, std::uint16_t& port) {
    const auto taken = [this](std::uint16_t wanted) {
        return std::any_of(listeners_.begin(), listeners_.end(),
                           [wanted](const Listener* other) { return other->local().port == wanted; });
    };
    if (port == 0) {
        for (std::uint32_t candidate = kFirstEphemeral; candidate <= UINT16_MAX && port == 0; ++candidate) {
            if (!taken(static_cast<std::uint16_t>(candidate))) {
                port = static_cast<std::uint16_t>(candidate);
            }
        }
        if (port == 0) {
            return STATUS_TOO_MANY_ADDRESSES;
        }
    } else if (taken(port)) {
        return STATUS_SHARING_VIOLATION;
    }
    listeners_.push_back(&listener);
    return STATUS_SUCCESS;
}

void ConnectionManager::remove(const Listener& listener) {
    std::erase(listeners_, &listener);
}

std::uint16_t ConnectionManager::ephemeral_port() {
    const std::uint16_t port = next_port_;
    next_port_ = next_port_ == UINT16_MAX ? kFirstEphemeral : static_cast<std::uint16_t>(next_port_ + 1);
    return port;
}

void ConnectionManager::handle(const CmMessage& message) {
    if (message.kind == CmKind::request) {
        for (Listener* const listener : listeners_) {
            if (listener->takes(message.destination_port)) {
                listener->incoming(message);
                return;
            }
        }
        CmMessage refusal;
        refusal.kind = CmKind::reject;
        refusal.remote_id = message.local_id;
        refusal.source_ip = message.destination_ip;
        refusal.destination_ip = message.source_ip;
        driver_.send_datagram(refusal);
        return;
    }
    const auto found = connectors_.find(message.remote_id);
    if (found != connectors_.end()) {
        found->second->handle(message);
    }
}

}  // namespace ndsim::core
