// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/ndspi/connection.hpp"
#include "ndapi/ndspi/listening.hpp"
#include "ndapi/ndspi/v2_overlapped.hpp"

namespace ndsim::nd {

// IND2Connector of this provider.
class Connector2 final : public Connecting<Overlapped2<IND2Connector>, ULONG> {
public:
    Connector2(const AdapterPtr& adapter, std::shared_ptr<os::File> file);

    HRESULT Bind(const sockaddr* address, ULONG length) override;
    HRESULT Connect(IUnknown* qp, const sockaddr* address, ULONG length, ULONG inbound, ULONG outbound,
                    const VOID* data, ULONG data_length, OVERLAPPED* overlapped) override;
    HRESULT Accept(IUnknown* qp, ULONG inbound, ULONG outbound, const VOID* data, ULONG data_length,
                   OVERLAPPED* overlapped) override;
    HRESULT GetReadLimits(ULONG* inbound, ULONG* outbound) override;
    HRESULT GetPrivateData(VOID* data, ULONG* length) override;

private:
    void leave() override { end(); }
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
