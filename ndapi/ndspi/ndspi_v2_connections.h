// SPDX-License-Identifier: Apache-2.0
// NetworkDirect 2: connectors and listeners (ndspi.md 4.9, 4.10).
#pragma once

#include "ndapi/ndspi/ndspi_v2_overlapped.h"

// One end of a connection, for one connection only (R103). It borrows its queue pair meanwhile.
struct IND2Connector : IND2Overlapped {
    // The local address; port 0 means any. ND_SHARING_VIOLATION if it is in use, ND_TOO_MANY_ADDRESSES if no port is
    // left, ND_ADDRESS_ALREADY_EXISTS if the same two ends are connected.
    virtual HRESULT Bind(const sockaddr* pAddress, ULONG cbAddress) = 0;
    // Connects to the listener at pDestAddress. Completes when the peer accepts or rejects. The same connector may
    // retry after ND_CONNECTION_REFUSED (R124), ND_IO_TIMEOUT (R125), ND_INVALID_BUFFER_SIZE for too much private data
    // (R127, B21), ND_NETWORK_UNREACHABLE, ND_HOST_UNREACHABLE. ND_CONNECTION_ACTIVE (R136), ND_CANCELED.
    virtual HRESULT Connect(IUnknown* pQueuePair, const sockaddr* pDestAddress, ULONG cbDestAddress,
                            ULONG inboundReadLimit, ULONG outboundReadLimit, const VOID* pPrivateData,
                            ULONG cbPrivateData, OVERLAPPED* pOverlapped) = 0;
    // The connecting side's answer to an accept (R123). ND_CONNECTION_INVALID if it is not connecting, ND_IO_TIMEOUT.
    virtual HRESULT CompleteConnect(OVERLAPPED* pOverlapped) = 0;
    // The listening side's acceptance of a request. Completes when the peer has called CompleteConnect (B18).
    // ND_CONNECTION_ACTIVE, ND_CONNECTION_ABORTED, ND_IO_TIMEOUT, ND_CANCELED, ND_INVALID_BUFFER_SIZE (R127).
    virtual HRESULT Accept(IUnknown* pQueuePair, ULONG inboundReadLimit, ULONG outboundReadLimit,
                           const VOID* pPrivateData, ULONG cbPrivateData, OVERLAPPED* pOverlapped) = 0;
    // Refuses a request, or after Connect an accept (R126). ND_CONNECTION_ABORTED, ND_INVALID_BUFFER_SIZE (R127).
    virtual HRESULT Reject(const VOID* pPrivateData, ULONG cbPrivateData) = 0;
    // The limits for both ends' Reads, seen from here (R129). ND_CONNECTION_INVALID, ND_UNSUCCESSFUL.
    virtual HRESULT GetReadLimits(ULONG* pInboundReadLimit, ULONG* pOutboundReadLimit) = 0;
    // ND_BUFFER_OVERFLOW with part of it and its full size (R128). ND_CONNECTION_INVALID, ND_UNSUCCESSFUL.
    virtual HRESULT GetPrivateData(VOID* pPrivateData, ULONG* pcbPrivateData) = 0;
    // ND_BUFFER_OVERFLOW returns only the size; ND_CONNECTION_INVALID (R132).
    virtual HRESULT GetLocalAddress(sockaddr* pAddress, ULONG* pcbAddress) = 0;
    virtual HRESULT GetPeerAddress(sockaddr* pAddress, ULONG* pcbAddress) = 0;
    // Completes when the connection ends (R97). ND_CONNECTION_INVALID without one (R100), ND_CANCELED (R101).
    virtual HRESULT NotifyDisconnect(OVERLAPPED* pOverlapped) = 0;
    // Ends the connection and flushes the queue pair (R96, R99). ND_CONNECTION_INVALID without one (R100).
    virtual HRESULT Disconnect(OVERLAPPED* pOverlapped) = 0;

protected:
    ~IND2Connector() = default;
};

// Takes connect requests at an address.
struct IND2Listener : IND2Overlapped {
    // The local address; port 0 means any. ND_SHARING_VIOLATION if it is in use (R133), ND_TOO_MANY_ADDRESSES if no
    // port is left.
    virtual HRESULT Bind(const sockaddr* pAddress, ULONG cbAddress) = 0;
    // From now on takes requests, at most backlog at a time (0: no bound).
    virtual HRESULT Listen(ULONG backlog) = 0;
    // ND_BUFFER_OVERFLOW returns only the size; ND_INVALID_DEVICE_STATE before Listen.
    virtual HRESULT GetLocalAddress(sockaddr* pAddress, ULONG* pcbAddress) = 0;
    // Completes when a peer connects; a connector fresh from CreateConnector then holds the request (R134). ND_CANCELED
    // when the listener ends (R135).
    virtual HRESULT GetConnectionRequest(IUnknown* pConnector, OVERLAPPED* pOverlapped) = 0;

protected:
    ~IND2Listener() = default;
};
