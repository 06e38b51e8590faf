// SPDX-License-Identifier: Apache-2.0
// NetworkDirect 1: connectors and listens (ndspi.md 3.7, 3.8). Ports are in network byte order.
#pragma once

#include "ndapi/ndspi/ndspi_v1_queues.h"

// One end of a connection, for one connection only (R103).
struct INDConnector : INDOverlapped {
    // The endpoint of this connector. ND_INVALID_PARAMETER_n if the nth parameter is bad or over its limit (R15).
    virtual HRESULT CreateEndpoint(INDCompletionQueue* pInboundCq, INDCompletionQueue* pOutboundCq,
                                   SIZE_T nInboundEntries, SIZE_T nOutboundEntries, SIZE_T nInboundSge,
                                   SIZE_T nOutboundSge, SIZE_T InboundReadLimit, SIZE_T OutboundReadLimit,
                                   SIZE_T* pMaxInlineData, INDEndpoint** ppEndpoint) = 0;
    // Connects to the listen at pAddress, from LocalPort or from any (0). Completes when the peer accepts or rejects.
    // ND_CONNECTION_REFUSED (R124), ND_TIMEOUT (R125), ND_BUFFER_OVERFLOW for too much private data (R127),
    // ND_CONNECTION_ACTIVE (R136), ND_NETWORK_UNREACHABLE, ND_HOST_UNREACHABLE, ND_CANCELED.
    virtual HRESULT Connect(INDEndpoint* pEndpoint, const sockaddr* pAddress, SIZE_T AddressLength, INT Protocol,
                            USHORT LocalPort, const VOID* pPrivateData, SIZE_T PrivateDataLength,
                            OVERLAPPED* pOverlapped) = 0;
    // The connecting side's answer to an accept (R123). ND_CONNECTION_INVALID if it is not connecting.
    virtual HRESULT CompleteConnect(OVERLAPPED* pOverlapped) = 0;
    // The listening side's acceptance of a request. Completes when the peer has called CompleteConnect.
    // ND_CONNECTION_ACTIVE, ND_CONNECTION_ABORTED, ND_CANCELED, ND_BUFFER_OVERFLOW (R127).
    virtual HRESULT Accept(INDEndpoint* pEndpoint, const VOID* pPrivateData, SIZE_T PrivateDataLength,
                           OVERLAPPED* pOverlapped) = 0;
    // Refuses a request, or after Connect an accept (R126). ND_CONNECTION_ABORTED, ND_BUFFER_OVERFLOW (R127).
    virtual HRESULT Reject(const VOID* pPrivateData, SIZE_T PrivateDataLength) = 0;
    // The peer's offer, between its message and this side's answer. ND_BUFFER_OVERFLOW with part of the private data
    // and its full size (R128), ND_CONNECTION_INVALID.
    virtual HRESULT GetConnectionData(SIZE_T* pInboundReadLimit, SIZE_T* pOutboundReadLimit, VOID* pPrivateData,
                                      SIZE_T* pPrivateDataLength) = 0;
    // ND_BUFFER_OVERFLOW returns only the size; ND_CONNECTION_INVALID (R132).
    virtual HRESULT GetLocalAddress(sockaddr* pAddress, SIZE_T* pAddressLength) = 0;
    virtual HRESULT GetPeerAddress(sockaddr* pAddress, SIZE_T* pAddressLength) = 0;
    // Completes when the connection ends (R97). ND_CONNECTION_INVALID without one (R100), ND_CANCELED (R101).
    virtual HRESULT NotifyDisconnect(OVERLAPPED* pOverlapped) = 0;
    // Ends the connection and flushes the endpoint (R96, R99). ND_CONNECTION_INVALID without one (R100).
    virtual HRESULT Disconnect(OVERLAPPED* pOverlapped) = 0;

protected:
    ~INDConnector() = default;
};

// Takes connect requests at a port.
struct INDListen : INDOverlapped {
    // Completes when a peer connects; a connector fresh from CreateConnector then holds the request (R134). ND_CANCELED
    // when the listen ends (R135).
    virtual HRESULT GetConnectionRequest(INDConnector* pConnector, OVERLAPPED* pOverlapped) = 0;

protected:
    ~INDListen() = default;
};
