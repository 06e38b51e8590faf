// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ndapi/ndspi/connection.hpp"
#include "ndapi/ndspi/listening.hpp"
#include "ndapi/ndspi/v1_part.hpp"

namespace ndsim::nd {

// INDConnector of this provider.
class Connector1 final : public Connecting<Overlapped1<INDConnector>, SIZE_T> {
public:
    explicit Connector1(Shared1& owner);

    HRESULT CreateEndpoint(INDCompletionQueue* inbound, INDCompletionQueue* outbound, SIZE_T inbound_depth,
                           SIZE_T outbound_depth, SIZE_T inbound_sges, SIZE_T outbound_sges, SIZE_T inbound_reads,
                           SIZE_T outbound_reads, SIZE_T* inline_bytes, INDEndpoint** out) override;
    HRESULT Connect(INDEndpoint* endpoint, const sockaddr* address, SIZE_T length, INT protocol, USHORT local_port,
                    const VOID* data, SIZE_T data_length, OVERLAPPED* overlapped) override;
    HRESULT Accept(INDEndpoint* endpoint, const VOID* data, SIZE_T data_length, OVERLAPPED* overlapped) override;
    HRESULT GetConnectionData(SIZE_T* inbound, SIZE_T* outbound, VOID* data, SIZE_T* length) override;

private:
    void take_down() override { end(); }
    bool has_endpoint_ = false;
};

// INDListen of this provider.
class Listen1 final : public Overlapped1<INDListen> {
public:
    explicit Listen1(Shared1& owner);

    // Listens at this port, or at any (0). Call once.
    [[nodiscard]] HRESULT begin(SIZE_T backlog, std::uint16_t port);
    [[nodiscard]] std::uint16_t port() const { return listening_.local()->port; }

    HRESULT GetConnectionRequest(INDConnector* connector, OVERLAPPED* overlapped) override;

private:
    void take_down() override;
    void cancelled() override { listening_.cancelled(); }

    Listening listening_;
};

}  // namespace ndsim::nd
