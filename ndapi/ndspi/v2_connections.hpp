// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/ndspi/connection.hpp"
#include "ndapi/ndspi/listening.hpp"
#include "ndapi/ndspi/v2_overlapped.hpp"

namespace ndsim::nd {

// IND2Connector of this provider.
class Connector2 final : public Overlapped2<IND2Connector> {
public:
    Connector2(const AdapterPtr& adapter, std::shared_ptr<os::File> file);

    [[nodiscard]] const std::shared_ptr<Connection>& connection() const { return connection_; }

    HRESULT Bind(const sockaddr* address, ULONG length) override;
    HRESULT Connect(IUnknown* qp, const sockaddr* address, ULONG length, ULONG inbound, ULONG outbound,
                    const VOID* data, ULONG data_length, OVERLAPPED* overlapped) override;
    HRESULT CompleteConnect(OVERLAPPED* overlapped) override { return connection_->complete_connect(*overlapped); }
    HRESULT Accept(IUnknown* qp, ULONG inbound, ULONG outbound, const VOID* data, ULONG data_length,
                   OVERLAPPED* overlapped) override;
    HRESULT Reject(const VOID* data, ULONG length) override;
    HRESULT GetReadLimits(ULONG* inbound, ULONG* outbound) override;
    HRESULT GetPrivateData(VOID* data, ULONG* length) override;
    HRESULT GetLocalAddress(sockaddr* address, ULONG* length) override;
    HRESULT GetPeerAddress(sockaddr* address, ULONG* length) override;
    HRESULT NotifyDisconnect(OVERLAPPED* overlapped) override { return connection_->notify_disconnect(*overlapped); }
    HRESULT Disconnect(OVERLAPPED* overlapped) override { return connection_->disconnect(*overlapped); }

private:
    void leave() override;
    void cancelled() override { connection_->cancelled(); }

    const std::shared_ptr<Connection> connection_;
};

// IND2Listener of this provider.
class Listener2 final : public Overlapped2<IND2Listener> {
public:
    Listener2(const AdapterPtr& adapter, std::shared_ptr<os::File> file);

    HRESULT Bind(const sockaddr* address, ULONG length) override;
    HRESULT Listen(ULONG backlog) override;
    HRESULT GetLocalAddress(sockaddr* address, ULONG* length) override;
    HRESULT GetConnectionRequest(IUnknown* connector, OVERLAPPED* overlapped) override;

private:
    void leave() override;
    void cancelled() override { listening_.cancelled(); }

    Listening listening_;
    std::unique_ptr<core::SharedEndpoint> bound_;  // until it listens
    bool bound_once_ = false;
};

}  // namespace ndsim::nd
