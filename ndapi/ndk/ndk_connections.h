// SPDX-License-Identifier: Apache-2.0
// Functions of connectors, listeners and shared endpoints (ndkpi.md 3.7). Those with a RequestCompletion may return
// STATUS_PENDING and call it once (K16); the failures named here may come either way.
//
// `const PSOCKADDR` and `const PVOID` are the interface's own: the pointer is const, not what it points to.
#pragma once

#include "ndapi/ndk/ndk_callbacks.h"
#include "ndapi/ndk/ndk_types.h"

// Starts to listen; for port 0 the provider picks one (K181). STATUS_SHARING_VIOLATION, STATUS_INVALID_ADDRESS (K182),
// STATUS_TOO_MANY_ADDRESSES, STATUS_INSUFFICIENT_RESOURCES.
typedef NTSTATUS (*NDK_FN_LISTEN)(NDK_LISTENER* pNdkListener, const PSOCKADDR pAddress, ULONG AddressLength,
                                  NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

// Pauses or resumes: a paused listener refuses as if it did not exist (K178).
typedef VOID (*NDK_FN_CONTROL_CONNECT_EVENTS)(NDK_LISTENER* pNdkListener, BOOLEAN Pause);

// Returns the listener's address. STATUS_BUFFER_TOO_SMALL with the size needed in *pAddressLength.
typedef NTSTATUS (*NDK_FN_GET_LISTENER_LOCAL_ADDRESS)(NDK_LISTENER* pNdkListener, PSOCKADDR pAddress,
                                                      ULONG* pAddressLength);

// Returns the shared endpoint's address. STATUS_BUFFER_TOO_SMALL with the size needed in *pAddressLength.
typedef NTSTATUS (*NDK_FN_GET_SHARED_ENDPOINT_LOCAL_ADDRESS)(NDK_SHARED_ENDPOINT* pNdkSharedEndpoint,
                                                             PSOCKADDR pAddress, ULONG* pAddressLength);

// Returns this end's address of a connection. STATUS_BUFFER_TOO_SMALL with the size needed in *pAddressLength.
typedef NTSTATUS (*NDK_FN_GET_LOCAL_ADDRESS)(NDK_CONNECTOR* pNdkConnector, PSOCKADDR pAddress, ULONG* pAddressLength);

// Returns the other end's address of a connection. STATUS_BUFFER_TOO_SMALL with the size needed in *pAddressLength.
typedef NTSTATUS (*NDK_FN_GET_PEER_ADDRESS)(NDK_CONNECTOR* pNdkConnector, PSOCKADDR pAddress, ULONG* pAddressLength);

// Asks a peer for a connection; done when the peer accepts (K174), with read limits capped to those of both ends
// (K171). May be retried after STATUS_CONNECTION_REFUSED (K178), STATUS_NETWORK_UNREACHABLE, STATUS_HOST_UNREACHABLE,
// STATUS_IO_TIMEOUT. Refusals for its addresses: K181, K182; for its QP: K187; for its private data: K185.
typedef NTSTATUS (*NDK_FN_CONNECT)(NDK_CONNECTOR* pNdkConnector, NDK_QP* pNdkQp, const PSOCKADDR pSrcAddress,
                                   ULONG SrcAddressLength, const PSOCKADDR pDestAddress, ULONG DestAddressLength,
                                   ULONG InboundReadLimit, ULONG OutboundReadLimit, const PVOID pPrivateData,
                                   ULONG PrivateDataLength, NDK_FN_REQUEST_COMPLETION RequestCompletion,
                                   PVOID RequestContext);

// The same from an address that connectors share (K183). Results of NDK_FN_CONNECT without those about the source.
typedef NTSTATUS (*NDK_FN_CONNECT_WITH_SHARED_ENDPOINT)(
    NDK_CONNECTOR* pNdkConnector, NDK_QP* pNdkQp, NDK_SHARED_ENDPOINT* pNdkSharedEndpoint, const PSOCKADDR pDestAddress,
    ULONG DestAddressLength, ULONG InboundReadLimit, ULONG OutboundReadLimit, const PVOID pPrivateData,
    ULONG PrivateDataLength, NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

// The active end's last step: now the connection is up, and the peer's accept is done (K174). STATUS_CONNECTION_INVALID
// if it is not connecting (K186), STATUS_CONNECTION_ABORTED if the peer gave up (K176), STATUS_IO_TIMEOUT.
typedef NTSTATUS (*NDK_FN_COMPLETE_CONNECT)(NDK_CONNECTOR* pNdkConnector,
                                            NDK_FN_DISCONNECT_EVENT_CALLBACK DisconnectEvent,
                                            PVOID DisconnectEventContext, NDK_FN_REQUEST_COMPLETION RequestCompletion,
                                            PVOID RequestContext);

// 2.1: the same with a disconnect event that gives a reason (K159).
typedef NTSTATUS (*NDK_FN_COMPLETE_CONNECT_EX)(NDK_CONNECTOR* pNdkConnector,
                                               NDK_FN_DISCONNECT_EVENT_CALLBACK_EX DisconnectEvent,
                                               PVOID DisconnectEventContext,
                                               NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

// Accepts at the passive end; done when the peer completes the connect (K174). STATUS_CONNECTION_ABORTED if the peer
// gave up (K177), STATUS_IO_TIMEOUT if it never completes (K175), STATUS_CONNECTION_ACTIVE for a QP in use (K187).
typedef NTSTATUS (*NDK_FN_ACCEPT)(NDK_CONNECTOR* pNdkConnector, NDK_QP* pNdkQp, ULONG InboundReadLimit,
                                  ULONG OutboundReadLimit, const PVOID pPrivateData, ULONG PrivateDataLength,
                                  NDK_FN_DISCONNECT_EVENT_CALLBACK DisconnectEvent, PVOID DisconnectEventContext,
                                  NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

// 2.1: the same with a disconnect event that gives a reason (K159).
typedef NTSTATUS (*NDK_FN_ACCEPT_EX)(NDK_CONNECTOR* pNdkConnector, NDK_QP* pNdkQp, ULONG InboundReadLimit,
                                     ULONG OutboundReadLimit, const PVOID pPrivateData, ULONG PrivateDataLength,
                                     NDK_FN_DISCONNECT_EVENT_CALLBACK_EX DisconnectEvent, PVOID DisconnectEventContext,
                                     NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

// Refuses: the passive end instead of accepting, the active end instead of completing (K178, K179). STATUS_SUCCESS;
// STATUS_CONNECTION_ABORTED if the peer gave up first (K177). Its page swaps the last two parameters.
typedef NTSTATUS (*NDK_FN_REJECT)(NDK_CONNECTOR* pNdkConnector, const PVOID pPrivateData, ULONG PrivateDataLength);

// Returns the effective read limits and as much of the peer's private data as fits; *pPrivateDataLength becomes its
// full size. STATUS_SUCCESS if it fitted or was not asked for, else STATUS_BUFFER_TOO_SMALL (K171, K184).
typedef NTSTATUS (*NDK_FN_GET_CONNECTION_DATA)(NDK_CONNECTOR* pNdkConnector, ULONG* pInboundReadLimit,
                                               ULONG* pOutboundReadLimit, PVOID pPrivateData,
                                               ULONG* pPrivateDataLength);

// Ends the connection in order: done when the peer has disconnected too and no DMA of the QP is left (K151 to K153),
// with the QP flushed (K155). STATUS_IO_TIMEOUT if the peer never does (K152).
typedef NTSTATUS (*NDK_FN_DISCONNECT)(NDK_CONNECTOR* pNdkConnector, NDK_FN_REQUEST_COMPLETION RequestCompletion,
                                      PVOID RequestContext);
