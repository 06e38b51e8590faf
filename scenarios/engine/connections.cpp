// SPDX-License-Identifier: Apache-2.0
#include "scenarios/engine/host_side.hpp"

// The connections of a scenario's host: set-up makes them, or its program does step by step.
namespace ndsim {

namespace {

constexpr std::uint16_t kFirstPort = 4000;

}  // namespace

// Connections have a port each, in the order of the file; the side that names its peer is the active one.
void HostSide::make_connections() {
    std::uint16_t port = kFirstPort;
    for (const Host& host : world_.scenario().hosts) {
        for (const QueuePair& qp : host.qps) {
            if (qp.connect.empty()) {
                continue;
            }
            const std::string_view peer = qp.connect;
            const std::string_view peer_host = peer.substr(0, peer.find('.'));
            const bool active = host.name == host_.name;
            if (active || peer_host == host_.name) {
                const auto own = qps_.find(active ? std::string_view(qp.name) : peer.substr(peer.find('.') + 1));
                own->second.peer = active ? peer_host : std::string_view(host.name);
                own->second.port = port;
                if (!qp.by_programs) {
                    active ? connect_at_last(own->first) : accept_only_one(own->first);
                }
            }
            ++port;
        }
    }
}

// The peer may not be listening yet: a refused connect is tried again.
void HostSide::connect_at_last(const std::string& name) {
    doing_ = "connecting " + name;
    NTSTATUS status = connect(name);
    while (status == STATUS_CONNECTION_REFUSED) {
        sleep(std::chrono::microseconds{10});
        status = connect(name);
    }
    require(status);
}

// The listener goes when its connector does; nobody waits for that.
void HostSide::accept_only_one(const std::string& name) {
    doing_ = "accepting for " + name;
    require(listen(name));
    QpHandle& qp = qps_.at(name);
    NDK_LISTENER* const listener = qp.listening->listener;
    const NTSTATUS status = accept(name);
    listener->Dispatch->NdkControlConnectEvents(listener, TRUE);
    require(status);
    (void)listener->Dispatch->NdkCloseListener(
        &listener->Header, [](PVOID) {}, nullptr);
    qp.listening.reset();
}

NTSTATUS HostSide::connect(const std::string& name) {
    QpHandle& qp = qps_.at(name);
    awaited_ = "its connection to " + qp.peer;
    NDK_CONNECTOR* connector = nullptr;
    obtain("its connector to be created", connector, [this](Pending& created, NDK_CONNECTOR** out) {
        return adapter_->Dispatch->NdkCreateConnector(adapter_, Pending::created, &created, out);
    });
    sockaddr_in from = address("");
    sockaddr_in to = address(qp.peer);
    to.sin_port = htons(qp.port);
    Pending pending(*this);
    const NTSTATUS status = pending.outcome(
        connector->Dispatch->NdkConnect(connector, qp.qp, reinterpret_cast<PSOCKADDR>(&from), sizeof from,
                                        reinterpret_cast<PSOCKADDR>(&to), sizeof to, qp.declared->inbound_reads,
                                        qp.declared->outbound_reads, nullptr, 0, Pending::done, &pending),
        awaited_);
    if (status != STATUS_SUCCESS) {
        return keep_or_close(qp, connector, status);
    }
    return keep_or_close(qp, connector,
                         pending.outcome(connector->Dispatch->NdkCompleteConnect(connector, &HostSide::peer_left, &qp,
                                                                                 Pending::done, &pending),
                                         "its connection to be completed"));
}

// The connector of a connection that has come about is the queue pair's; of any other nobody waits for the close.
NTSTATUS HostSide::keep_or_close(QpHandle& qp, NDK_CONNECTOR* connector, NTSTATUS status) {
    if (status == STATUS_SUCCESS) {
        qp.connector = connector;
    } else {
        (void)connector->Dispatch->NdkCloseConnector(
            &connector->Header, [](PVOID) {}, nullptr);
    }
    return status;
}

NTSTATUS HostSide::listen(const std::string& name) {
    QpHandle& qp = qps_.at(name);
    if (qp.listening != nullptr) {
        return STATUS_SUCCESS;
    }
    qp.listening = std::make_unique<Listening>(*this);
    const auto offer = [](PVOID context, NDK_CONNECTOR* connector) {
        auto& there = *static_cast<Listening*>(context);
        there.offered.push_back(connector);
        there.event.signal();
    };
    NDK_LISTENER*& listener = qp.listening->listener;
    obtain("its listener to be created", listener, [&](Pending& created, NDK_LISTENER** out) {
        return adapter_->Dispatch->NdkCreateListener(adapter_, offer, qp.listening.get(), Pending::created, &created,
                                                     out);
    });
    sockaddr_in local = address("");
    local.sin_port = htons(qp.port);
    Pending pending(*this);
    return pending.outcome(listener->Dispatch->NdkListen(listener, reinterpret_cast<PSOCKADDR>(&local), sizeof local,
                                                         Pending::done, &pending),
                           "its listener to listen");
}

NDK_CONNECTOR* HostSide::next_offered(const std::string& name) {
    require(listen(name));
    Listening& listening = *qps_.at(name).listening;
    awaited_ = "a connect request for " + name;
    while (listening.offered.empty()) {
        listening.event.wait(awaited_);
    }
    NDK_CONNECTOR* const connector = listening.offered.front();
    listening.offered.pop_front();
    return connector;
}

NTSTATUS HostSide::accept(const std::string& name) {
    NDK_CONNECTOR* const connector = next_offered(name);
    QpHandle& qp = qps_.at(name);
    Pending pending(*this);
    return keep_or_close(qp, connector,
                         pending.outcome(connector->Dispatch->NdkAccept(
                                             connector, qp.qp, qp.declared->inbound_reads, qp.declared->outbound_reads,
                                             nullptr, 0, &HostSide::peer_left, &qp, Pending::done, &pending),
                                         "its connection to be completed by the peer"));
}

NTSTATUS HostSide::reject(const std::string& name) {
    NDK_CONNECTOR* const connector = next_offered(name);
    const NTSTATUS status = connector->Dispatch->NdkReject(connector, nullptr, 0);
    (void)connector->Dispatch->NdkCloseConnector(
        &connector->Header, [](PVOID) {}, nullptr);
    return status;
}

void HostSide::peer_left(void* qp) {
    static_cast<QpHandle*>(qp)->peer_left->signal();
}

NTSTATUS HostSide::disconnect(const std::string& name) {
    NDK_CONNECTOR* const connector = qps_.at(name).connector;
    if (connector == nullptr) {
        return STATUS_CONNECTION_INVALID;
    }
    awaited_ = name + " to be disconnected at both ends";
    Pending pending(*this);
    return pending.outcome(connector->Dispatch->NdkDisconnect(connector, Pending::done, &pending), awaited_);
}

}  // namespace ndsim
