// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/ndk_face.hpp"

// The connections of a host that uses NDKPI.
namespace ndsim {

NTSTATUS NdkFace::connect(const QueuePair& declared, const sockaddr_in& peer) {
    QpHandle& qp = qps_.at(declared.name);
    awaited_ = "its peer to answer the connect of " + declared.name;
    NDK_CONNECTOR* connector = nullptr;
    const NTSTATUS created = obtain("its connector to be created", connector, [this](Pending& of, NDK_CONNECTOR** out) {
        return adapter_->Dispatch->NdkCreateConnector(adapter_, Pending::created, &of, out);
    });
    if (created != STATUS_SUCCESS) {
        return created;
    }
    sockaddr_in from = side_.address("");
    sockaddr_in to = peer;
    Pending pending(side_);
    const NTSTATUS status = pending.outcome(
        connector->Dispatch->NdkConnect(connector, qp.qp, reinterpret_cast<PSOCKADDR>(&from), sizeof from,
                                        reinterpret_cast<PSOCKADDR>(&to), sizeof to, declared.inbound_reads,
                                        declared.outbound_reads, nullptr, 0, Pending::done, &pending),
        awaited_);
    if (status != STATUS_SUCCESS) {
        return keep_or_close(qp, connector, status);
    }
    return keep_or_close(qp, connector,
                         pending.outcome(connector->Dispatch->NdkCompleteConnect(connector, &NdkFace::peer_left, &qp,
                                                                                 Pending::done, &pending),
                                         "its connection to be completed"));
}

// The queue pair keeps the connector of a connection; any other is closed without waiting.
NTSTATUS NdkFace::keep_or_close(QpHandle& qp, NDK_CONNECTOR* connector, NTSTATUS status) {
    if (status == STATUS_SUCCESS) {
        qp.connector = connector;
    } else {
        (void)connector->Dispatch->NdkCloseConnector(
            &connector->Header, [](PVOID) {}, nullptr);
    }
    return status;
}

NTSTATUS NdkFace::listen(const QueuePair& declared, USHORT port) {
    QpHandle& qp = qps_.at(declared.name);
    if (qp.listening != nullptr) {
        return STATUS_SUCCESS;
    }
    qp.listening = std::make_unique<Listening>(side_);
    const auto offer = [](PVOID context, NDK_CONNECTOR* connector) {
        auto& there = *static_cast<Listening*>(context);
        there.offered.push_back(connector);
        there.event.signal();
    };
    NDK_LISTENER*& listener = qp.listening->listener;
    const NTSTATUS created = obtain("its listener to be created", listener, [&](Pending& of, NDK_LISTENER** out) {
        return adapter_->Dispatch->NdkCreateListener(adapter_, offer, qp.listening.get(), Pending::created, &of, out);
    });
    if (created != STATUS_SUCCESS) {
        return created;
    }
    sockaddr_in local = side_.address("");
    local.sin_port = port;
    Pending pending(side_);
    return pending.outcome(listener->Dispatch->NdkListen(listener, reinterpret_cast<PSOCKADDR>(&local), sizeof local,
                                                         Pending::done, &pending),
                           "its listener to listen");
}

// The listener goes when its connector does; there is no wait for that.
void NdkFace::stop_listening(const QueuePair& declared) {
    QpHandle& qp = qps_.at(declared.name);
    NDK_LISTENER* const listener = qp.listening->listener;
    listener->Dispatch->NdkControlConnectEvents(listener, TRUE);
    (void)listener->Dispatch->NdkCloseListener(
        &listener->Header, [](PVOID) {}, nullptr);
    qp.listening.reset();
}

NDK_CONNECTOR* NdkFace::next_offered(const QueuePair& declared) {
    Listening& listening = *qps_.at(declared.name).listening;
    awaited_ = "a connect request for " + declared.name;
    while (listening.offered.empty()) {
        listening.event.wait(awaited_);
    }
    NDK_CONNECTOR* const connector = listening.offered.front();
    listening.offered.pop_front();
    return connector;
}

NTSTATUS NdkFace::accept(const QueuePair& declared) {
    NDK_CONNECTOR* const connector = next_offered(declared);
    QpHandle& qp = qps_.at(declared.name);
    Pending pending(side_);
    return keep_or_close(qp, connector,
                         pending.outcome(connector->Dispatch->NdkAccept(
                                             connector, qp.qp, declared.inbound_reads, declared.outbound_reads, nullptr,
                                             0, &NdkFace::peer_left, &qp, Pending::done, &pending),
                                         "its connection to be completed by the peer"));
}

NTSTATUS NdkFace::reject(const QueuePair& declared) {
    NDK_CONNECTOR* const connector = next_offered(declared);
    const NTSTATUS status = connector->Dispatch->NdkReject(connector, nullptr, 0);
    (void)connector->Dispatch->NdkCloseConnector(
        &connector->Header, [](PVOID) {}, nullptr);
    return status;
}

void NdkFace::peer_left(void* qp) {
    static_cast<QpHandle*>(qp)->peer_left.signal();
}

void NdkFace::wait_for_disconnect(const QueuePair& declared) {
    awaited_ = "the peer of " + declared.name + " to disconnect";
    qps_.at(declared.name).peer_left.wait(awaited_);
}

NTSTATUS NdkFace::disconnect(const QueuePair& declared) {
    NDK_CONNECTOR* const connector = qps_.at(declared.name).connector;
    if (connector == nullptr) {
        return STATUS_CONNECTION_INVALID;
    }
    awaited_ = declared.name + " to be disconnected at both ends";
    Pending pending(side_);
    return pending.outcome(connector->Dispatch->NdkDisconnect(connector, Pending::done, &pending), awaited_);
}

}  // namespace ndsim
