// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/cm_router.hpp"

#include <algorithm>

namespace ndsim::core {

namespace {

// All hosts of a simulation are in one network.
constexpr std::uint32_t kNetwork = 0xFFFF'0000;

}  // namespace

std::optional<HostId> CmRouter::neighbour(std::uint32_t ip_address) const {
    const auto found = neighbours_.find(ip_address);
    return found == neighbours_.end() ? std::nullopt : std::optional(found->second);
}

void CmRouter::send(const CmMessage& message, std::function<void()> sent) {
    const std::optional<HostId> to = neighbour(message.destination_ip);
    if (!to) {
        return;
    }
    SendDatagram datagram;
    datagram.to = *to;
    write_cm_message(datagram.bytes, message);
    driver_.command(datagram, std::move(sent));
}

std::uint32_t CmRouter::add(CmConnection& connector) {
    connectors_[next_id_] = &connector;
    return next_id_++;
}

std::uint32_t CmRouter::renew(std::uint32_t id, CmConnection& connector) {
    connectors_.erase(id);
    return add(connector);
}

NTSTATUS CmRouter::take(Endpoint& local) {
    if (local.ip != 0 && local.ip != driver_.ip_address()) {
        return STATUS_INVALID_ADDRESS;
    }
    local.ip = driver_.ip_address();
    return ports_.take(local.port);
}

NTSTATUS CmRouter::route_to(const Endpoint& peer) const {
    if (peer.ip == driver_.ip_address()) {
        return STATUS_CONNECTION_REFUSED;
    }
    return ((peer.ip ^ driver_.ip_address()) & kNetwork) == 0 ? STATUS_SUCCESS : STATUS_NETWORK_UNREACHABLE;
}

bool CmRouter::joined(const Endpoint& local, const Endpoint& peer) const {
    // A port that is not yet picked has no connections.
    return local.port != 0 && std::any_of(connectors_.begin(), connectors_.end(),
                                          [&](const auto& entry) { return entry.second->joins(local, peer); });
}

// A side that gives up before it knows the other's connector can name only its own.
CmConnection* CmRouter::find(const CmMessage& message) const {
    const auto is_peer = [&message](const auto& entry) {
        return entry.second->peer_id() == message.local_id && entry.second->peer().ip == message.source_ip;
    };
    const auto found = message.remote_id != 0 ? connectors_.find(message.remote_id)
                                              : std::find_if(connectors_.begin(), connectors_.end(), is_peer);
    return found == connectors_.end() ? nullptr : found->second;
}

void CmRouter::offer(const CmMessage& request) {
    const auto listener = std::find_if(listeners_.begin(), listeners_.end(), [&request](const CmListener* candidate) {
        return candidate->takes(request.destination_port);
    });
    if (listener != listeners_.end()) {
        (*listener)->incoming(request);
        return;
    }
    CmMessage refusal;
    refusal.kind = CmKind::reject;
    refusal.remote_id = request.local_id;
    refusal.source_ip = request.destination_ip;
    refusal.destination_ip = request.source_ip;
    send(refusal);
}

void CmRouter::handle(const CmMessage& message) {
    if (message.kind == CmKind::request) {
        offer(message);
    } else if (CmConnection* const connector = find(message)) {
        connector->handle(message);
    }
}

}  // namespace ndsim::core
