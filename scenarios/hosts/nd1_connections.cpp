// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/nd1_face.hpp"

// The connections of a host that uses NDSPI's version 1.
namespace ndsim {

namespace {

constexpr INT kProtocol = 6;  // IANA's number of TCP, valid for any connection

}  // namespace

// Once there is a connection, asks for its end.
NTSTATUS Nd1Face::note(QpHandle& qp, NTSTATUS status) {
    if (status == ND_SUCCESS) {
        qp.connected = true;
        qp.peer_left = {};
        (void)qp.connector->NotifyDisconnect(&qp.peer_left);
    }
    return status;
}

NTSTATUS Nd1Face::connect(const QueuePair& qp, const sockaddr_in& peer) {
    QpHandle& handle = qps_.at(qp.name);
    INDConnector& connector = *handle.connector;
    HRESULT status = end(connector, connector.Connect(handle.endpoint, reinterpret_cast<const sockaddr*>(&peer),
                                                      sizeof peer, kProtocol, 0, nullptr, 0, &call_));
    if (status == ND_SUCCESS) {
        status = end(connector, connector.CompleteConnect(&call_));
    }
    return note(handle, status);
}

NTSTATUS Nd1Face::listen(const QueuePair& qp, USHORT port) {
    INDListen*& listener = qps_.at(qp.name).listener;
    USHORT assigned = 0;
    return listener != nullptr ? ND_SUCCESS : adapter_->Listen(0, kProtocol, port, &assigned, &listener);
}

void Nd1Face::stop_listening(const QueuePair& qp) {
    std::exchange(qps_.at(qp.name).listener, nullptr)->Release();
}

NTSTATUS Nd1Face::accept(const QueuePair& qp) {
    QpHandle& handle = qps_.at(qp.name);
    HRESULT status = end(*handle.listener, handle.listener->GetConnectionRequest(handle.connector, &call_));
    if (status == ND_SUCCESS) {
        status = end(*handle.connector, handle.connector->Accept(handle.endpoint, nullptr, 0, &call_));
    }
    return note(handle, status);
}

// Uses a connector of its own, so that the queue pair's is free for another request.
NTSTATUS Nd1Face::reject(const QueuePair& qp) {
    INDListen& listener = *qps_.at(qp.name).listener;
    INDConnector* connector = nullptr;
    HRESULT status = adapter_->CreateConnector(&connector);
    if (status == ND_SUCCESS) {
        status = end(listener, listener.GetConnectionRequest(connector, &call_));
    }
    if (status == ND_SUCCESS) {
        status = connector->Reject(nullptr, 0);
    }
    connector->Release();
    return status;
}

NTSTATUS Nd1Face::disconnect(const QueuePair& qp) {
    INDConnector& connector = *qps_.at(qp.name).connector;
    return end(connector, connector.Disconnect(&call_));
}

void Nd1Face::wait_for_disconnect(const QueuePair& qp) {
    QpHandle& handle = qps_.at(qp.name);
    while (!handle.connected) {
        side_.main_core().sleep();
    }
    (void)end_of(*handle.connector, handle.peer_left);
}

}  // namespace ndsim
