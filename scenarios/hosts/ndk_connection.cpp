// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/ndk_connection.hpp"

namespace ndsim {

NTSTATUS NdkConnection::connect(NDK_ADAPTER& adapter, NDK_QP* qp, const sockaddr_in& peer) {
    awaited_ = "its peer to answer the connect of " + declared_.name;
    NDK_CONNECTOR* connector = nullptr;
    const NTSTATUS created =
        obtain(side_, "its connector to be created", connector, [&adapter](Pending& of, NDK_CONNECTOR** out) {
            return adapter.Dispatch->NdkCreateConnector(&adapter, Pending::created, &of, out);
        });
    if (created != STATUS_SUCCESS) {
        return created;
    }
    sockaddr_in from = side_.address("");
    sockaddr_in to = peer;
    Pending pending(side_);
    const NTSTATUS status = pending.outcome(
        connector->Dispatch->NdkConnect(connector, qp, reinterpret_cast<PSOCKADDR>(&from), sizeof from,
                                        reinterpret_cast<PSOCKADDR>(&to), sizeof to, declared_.inbound_reads,
                                        declared_.outbound_reads, nullptr, 0, Pending::done, &pending),
        awaited_);
    if (status != STATUS_SUCCESS) {
        return keep_or_close(connector, status);
    }
    is_over_ = false;
    return keep_or_close(
        connector, pending.outcome(connector->Dispatch->NdkCompleteConnect(connector, &NdkConnection::peer_left, this,
                                                                           Pending::done, &pending),
                                   "its connection to be completed"));
}

// The queue pair keeps the connector of a connection; any other is closed without waiting.
NTSTATUS NdkConnection::keep_or_close(NDK_CONNECTOR* connector, NTSTATUS status) {
    if (status == STATUS_SUCCESS) {
        connector_ = connector;
    } else {
        (void)connector->Dispatch->NdkCloseConnector(
            &connector->Header, [](PVOID) {}, nullptr);
    }
    return status;
}

NTSTATUS NdkConnection::listen(NDK_ADAPTER& adapter, USHORT port) {
    if (listening_ != nullptr) {
        return STATUS_SUCCESS;
    }
    listening_ = std::make_unique<Listening>(side_);
    const auto offer = [](PVOID context, NDK_CONNECTOR* connector) {
        auto& there = *static_cast<Listening*>(context);
        there.offered.push_back(connector);
        there.event.signal();
    };
    NDK_LISTENER*& listener = listening_->listener;
    const NTSTATUS created =
        obtain(side_, "its listener to be created", listener, [&](Pending& of, NDK_LISTENER** out) {
            return adapter.Dispatch->NdkCreateListener(&adapter, offer, listening_.get(), Pending::created, &of, out);
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
void NdkConnection::stop_listening() {
    NDK_LISTENER* const listener = listening_->listener;
    listener->Dispatch->NdkControlConnectEvents(listener, TRUE);
    (void)listener->Dispatch->NdkCloseListener(
        &listener->Header, [](PVOID) {}, nullptr);
    listening_.reset();
}

NDK_CONNECTOR* NdkConnection::next_offered() {
    Listening& listening = *listening_;
    awaited_ = "a connect request for " + declared_.name;
    while (listening.offered.empty()) {
        listening.event.wait(awaited_);
    }
    NDK_CONNECTOR* const connector = listening.offered.front();
    listening.offered.pop_front();
    return connector;
}

NTSTATUS NdkConnection::accept(NDK_QP* qp) {
    NDK_CONNECTOR* const connector = next_offered();
    is_over_ = false;
    Pending pending(side_);
    return keep_or_close(
        connector, pending.outcome(connector->Dispatch->NdkAccept(
                                       connector, qp, declared_.inbound_reads, declared_.outbound_reads, nullptr, 0,
                                       &NdkConnection::peer_left, this, Pending::done, &pending),
                                   "its connection to be completed by the peer"));
}

NTSTATUS NdkConnection::reject() {
    NDK_CONNECTOR* const connector = next_offered();
    const NTSTATUS status = connector->Dispatch->NdkReject(connector, nullptr, 0);
    (void)connector->Dispatch->NdkCloseConnector(
        &connector->Header, [](PVOID) {}, nullptr);
    return status;
}

void NdkConnection::wait_for_disconnect() {
    awaited_ = "the peer of " + declared_.name + " to disconnect";
    while (!is_over_) {
        peer_left_.wait(awaited_);
    }
}

void NdkConnection::peer_left(void* connection) {
    auto& self = *static_cast<NdkConnection*>(connection);
    self.is_over_ = true;
    self.peer_left_.signal();
}

NTSTATUS NdkConnection::disconnect() {
    if (connector_ == nullptr) {
        return STATUS_CONNECTION_INVALID;
    }
    awaited_ = declared_.name + " to be disconnected at both ends";
    Pending pending(side_);
    const NTSTATUS status =
        pending.outcome(connector_->Dispatch->NdkDisconnect(connector_, Pending::done, &pending), awaited_);
    is_over_ = true;  // behind its own disconnect no event tells of the peer's
    return status;
}

}  // namespace ndsim
