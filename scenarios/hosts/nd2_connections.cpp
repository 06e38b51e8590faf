// SPDX-License-Identifier: Apache-2.0
#include "scenarios/hosts/nd2_face.hpp"

// The connections of a host that uses NDSPI's version 2.
namespace ndsim {

// The queue pair keeps the connector of a connection, and asks for its end.
NTSTATUS Nd2Face::keep_or_release(QpHandle& qp, IND2Connector* connector, NTSTATUS status) {
    if (status != ND_SUCCESS) {
        connector->Release();
        return status;
    }
    if (qp.connector != nullptr) {
        qp.connector->Release();
    }
    qp.connector = connector;
    qp.peer_left = {};
    (void)connector->NotifyDisconnect(&qp.peer_left);
    return status;
}

NTSTATUS Nd2Face::connect(const QueuePair& qp, const sockaddr_in& peer) {
    IND2Connector* connector = nullptr;
    HRESULT status = adapter_->CreateConnector(IID_IND2Connector, file_, reinterpret_cast<void**>(&connector));
    if (status != ND_SUCCESS) {
        return status;
    }
    QpHandle& handle = qps_.at(qp.name);
    status = end(*connector, connector->Connect(handle.qp, reinterpret_cast<const sockaddr*>(&peer), sizeof peer,
                                                qp.inbound_reads, qp.outbound_reads, nullptr, 0, &call_));
    if (status == ND_SUCCESS) {
        status = end(*connector, connector->CompleteConnect(&call_));
    }
    return keep_or_release(handle, connector, status);
}

NTSTATUS Nd2Face::listen(const QueuePair& qp, USHORT port) {
    IND2Listener*& listener = qps_.at(qp.name).listener;
    if (listener != nullptr) {
        return ND_SUCCESS;
    }
    HRESULT status = adapter_->CreateListener(IID_IND2Listener, file_, reinterpret_cast<void**>(&listener));
    if (status == ND_SUCCESS) {
        sockaddr_in local = side_.address("");
        local.sin_port = port;
        status = listener->Bind(reinterpret_cast<const sockaddr*>(&local), sizeof local);
    }
    return status == ND_SUCCESS ? listener->Listen(0) : status;
}

void Nd2Face::stop_listening(const QueuePair& qp) {
    std::exchange(qps_.at(qp.name).listener, nullptr)->Release();
}

// Waits for a peer to connect; the new connector holds the request.
NTSTATUS Nd2Face::request_for(IND2Listener& listener, IND2Connector*& connector) {
    HRESULT status = adapter_->CreateConnector(IID_IND2Connector, file_, reinterpret_cast<void**>(&connector));
    if (status == ND_SUCCESS) {
        status = end(listener, listener.GetConnectionRequest(connector, &call_));
    }
    return status;
}

NTSTATUS Nd2Face::accept(const QueuePair& qp) {
    QpHandle& handle = qps_.at(qp.name);
    IND2Connector* connector = nullptr;
    HRESULT status = request_for(*handle.listener, connector);
    if (status == ND_SUCCESS) {
        status = end(*connector, connector->Accept(handle.qp, qp.inbound_reads, qp.outbound_reads, nullptr, 0, &call_));
    }
    return keep_or_release(handle, connector, status);
}

NTSTATUS Nd2Face::reject(const QueuePair& qp) {
    IND2Connector* connector = nullptr;
    HRESULT status = request_for(*qps_.at(qp.name).listener, connector);
    if (status == ND_SUCCESS) {
        status = connector->Reject(nullptr, 0);
    }
    connector->Release();
    return status;
}

NTSTATUS Nd2Face::disconnect(const QueuePair& qp) {
    IND2Connector* const connector = qps_.at(qp.name).connector;
    return connector == nullptr ? ND_CONNECTION_INVALID : end(*connector, connector->Disconnect(&call_));
}

void Nd2Face::wait_for_disconnect(const QueuePair& qp) {
    QpHandle& handle = qps_.at(qp.name);
    while (handle.connector == nullptr) {
        side_.main_core().sleep();
    }
    (void)end_of(*handle.connector, handle.peer_left);
}

}  // namespace ndsim
