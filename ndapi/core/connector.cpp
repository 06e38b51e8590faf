// SPDX-License-Identifier: Apache-2.0
#include "ndapi/core/connector.hpp"

#include <initializer_list>
#include <utility>

#include "ndapi/core/cm_router.hpp"

namespace ndsim::core {

Connector::Connector(Driver& driver) : driver_(driver), life_(*this, driver) {
    life_.terms().begin(driver.connections().add(*this), {}, {}, {});
}

// A queue pair serves one connection, and a connector too [K154, K187].
NTSTATUS Connector::usable(const Qp& qp) const {
    if (is_over(state()) || qp.state() == Qp::State::disconnected) {
        return STATUS_CONNECTION_INVALID;
    }
    return qp.state() == Qp::State::idle ? STATUS_SUCCESS : STATUS_CONNECTION_ACTIVE;
}

NTSTATUS Connector::may_connect(const Qp& qp, Endpoint local, Endpoint peer, std::span<const std::byte> data) const {
    if (data.size() > kCallerData) {
        return STATUS_INVALID_BUFFER_SIZE;
    }
    if (const NTSTATUS status = usable(qp); status != STATUS_SUCCESS) {
        return status;
    }
    if (state() != State::idle) {
        return STATUS_CONNECTION_ACTIVE;
    }
    if (const NTSTATUS status = driver_.connections().route_to(peer); status != STATUS_SUCCESS) {
        return status;
    }
    return driver_.connections().joined(local, peer) ? STATUS_ADDRESS_ALREADY_EXISTS : STATUS_SUCCESS;
}

NTSTATUS Connector::connect(Qp& qp, Endpoint local, Endpoint peer, ReadLimits limits, std::span<const std::byte> data,
                            Done done) {
    NTSTATUS status = may_connect(qp, {driver_.ip_address(), local.port}, peer, data);
    if (status == STATUS_SUCCESS) {
        status = life_.port().take(local);
    }
    if (status != STATUS_SUCCESS) {
        return status;
    }
    request(qp, local, peer, limits, data, std::move(done));
    return STATUS_PENDING;
}

NTSTATUS Connector::connect(Qp& qp, SharedEndpoint& local, Endpoint peer, ReadLimits limits,
                            std::span<const std::byte> data, Done done) {
    if (const NTSTATUS status = may_connect(qp, local.local(), peer, data); status != STATUS_SUCCESS) {
        return status;
    }
    life_.port().share(local);
    request(qp, local.local(), peer, limits, data, std::move(done));
    return STATUS_PENDING;
}

void Connector::request(Qp& qp, Endpoint local, Endpoint peer, ReadLimits limits, std::span<const std::byte> data,
                        Done done) {
    // An answer to an earlier attempt must not count for this one.
    life_.terms().begin(driver_.connections().renew(id(), *this), local, peer, {kMaxReads, kMaxReads});
    life_.terms().limit(limits);
    refused_ = false;
    nobody_listened_ = false;
    life_.connect(qp, data, std::move(done));
}

NTSTATUS Connector::complete_connect(Event disconnected, Done done) {
    if (state() == State::aborted) {
        return STATUS_CONNECTION_ABORTED;
    }
    if (state() != State::accepted || life_.call_under_way()) {
        return STATUS_CONNECTION_INVALID;
    }
    life_.complete(std::move(disconnected), std::move(done));
    return STATUS_PENDING;
}

NTSTATUS Connector::accept(Qp& qp, ReadLimits limits, std::span<const std::byte> data, Event disconnected, Done done) {
    if (data.size() > kCalleeData) {
        return STATUS_INVALID_BUFFER_SIZE;
    }
    if (state() == State::aborted) {
        return STATUS_CONNECTION_ABORTED;
    }
    if (const NTSTATUS status = usable(qp); status != STATUS_SUCCESS) {
        return status;
    }
    if (state() != State::requested) {
        return STATUS_CONNECTION_INVALID;
    }
    life_.terms().limit(limits);
    life_.accept(qp, *std::exchange(request_, nullptr), data, std::move(disconnected), std::move(done));
    return STATUS_PENDING;
}

NTSTATUS Connector::reject(std::span<const std::byte> data) {
    if (data.size() > kCalleeData) {
        return STATUS_INVALID_BUFFER_SIZE;
    }
    if (state() == State::aborted) {
        return STATUS_CONNECTION_ABORTED;
    }
    const bool has_connected = state() == State::accepted && !life_.call_under_way();
    if (state() != State::requested && !has_connected) {
        return STATUS_CONNECTION_INVALID;
    }
    life_.reject(data);
    return STATUS_SUCCESS;
}

NTSTATUS Connector::disconnect(Done done) {
    if (state() != State::connected && state() != State::lost) {
        return STATUS_CONNECTION_INVALID;
    }
    life_.disconnect(std::move(done));
    return STATUS_PENDING;
}

// Messages of the peer.

void Connector::requested(const CmMessage& request, Object& listener) {
    passive_ = true;
    request_ = std::make_unique<const CmMessage>(request);
    listener_ = &listener;
    listener_->hold();
    life_.terms().begin(id(), {request.destination_ip, request.destination_port},
                        {request.source_ip, request.source_port}, {kMaxReads, kMaxReads});
    life_.port().share(local().port);
    life_.terms().take(request, peer_data_size());
    life_.requested();
}

bool Connector::joins(const Endpoint& local, const Endpoint& peer) const {
    return (state() == State::connecting || is_in_nic(state())) && life_.terms().local() == local &&
           life_.terms().peer() == peer;
}

void Connector::handle(const CmMessage& message) {
    switch (message.kind) {
        case CmKind::request:
            break;  // listeners handle these
        case CmKind::reply:
            reply_came(message);
            break;
        case CmKind::ready:
            life_.completed();
            break;
        case CmKind::reject:
            refused_ = true;
            nobody_listened_ = message.local_id == 0;
            life_.terms().take_private_data(message, peer_data_size());
            life_.peer_gave_up(message.reason);
            break;
        case CmKind::abort:
            peer_ended_ = peer_ended_ || message.reason == WcStatus::success;
            life_.peer_gave_up(message.reason);
            break;
        case CmKind::disconnect:
            peer_ended_ = true;
            life_.peer_disconnected();
            break;
    }
}

void Connector::reply_came(const CmMessage& reply) {
    if (state() == State::connecting) {
        life_.terms().take(reply, peer_data_size());
        life_.accepted(reply);
    }
}

void Connector::end_close() {
    driver_.connections().remove(id());
    life_.port().give_port();
    if (life_.qp() != nullptr) {
        life_.qp()->set_connector(nullptr);
    }
}

std::vector<Object*> Connector::antecedents() {
    std::vector<Object*> held;
    for (Object* const object : std::initializer_list<Object*>{life_.qp(), listener_, life_.port().endpoint()}) {
        if (object != nullptr) {
            held.push_back(object);
        }
    }
    return held;
}

}  // namespace ndsim::core
