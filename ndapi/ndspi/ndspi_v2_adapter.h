// SPDX-License-Identifier: Apache-2.0
// NetworkDirect 2: adapters, and the provider that opens them (ndspi.md 4.1, 4.3). Objects are returned as the
// interface that iid names. Creating returns ND_NO_MEMORY or ND_INSUFFICIENT_RESOURCES if there is no room.
#pragma once

#include "ndapi/ndspi/ndspi_v2_connections.h"
#include "ndapi/ndspi/ndspi_v2_memory.h"
#include "ndapi/ndspi/ndspi_v2_queues.h"
#include "ndapi/windows/abi/socket_address.h"

// Overlapped calls of an object complete on the file that it was created with. Processors that a queue's notifications
// cannot use are ignored.
struct IND2Adapter : IUnknown {
    // A file for overlapped calls, for a completion port; there may be several.
    virtual HRESULT CreateOverlappedFile(HANDLE* phOverlappedFile) = 0;
    // The limits. ND_BUFFER_OVERFLOW returns only the size.
    virtual HRESULT Query(ND2_ADAPTER_INFO* pInfo, ULONG* pcbInfo) = 0;
    // Its local addresses. ND_BUFFER_OVERFLOW returns only the size.
    virtual HRESULT QueryAddressList(SOCKET_ADDRESS_LIST* pAddressList, ULONG* pcbAddressList) = 0;
    // ND_INVALID_PARAMETER_3 for a depth of 0 or over the limit (R17).
    virtual HRESULT CreateCompletionQueue(REFIID iid, HANDLE hOverlappedFile, ULONG queueDepth, USHORT group,
                                          KAFFINITY affinity, VOID** ppCompletionQueue) = 0;
    // Creates a region without memory.
    virtual HRESULT CreateMemoryRegion(REFIID iid, HANDLE hOverlappedFile, VOID** ppMemoryRegion) = 0;
    // Creates an unbound window.
    virtual HRESULT CreateMemoryWindow(REFIID iid, VOID** ppMemoryWindow) = 0;
    // With a notifyThreshold of 0 it never notifies. ND_INVALID_PARAMETER_3 (depth), _4 (list elements).
    virtual HRESULT CreateSharedReceiveQueue(REFIID iid, HANDLE hOverlappedFile, ULONG queueDepth, ULONG maxRequestSge,
                                             ULONG notifyThreshold, USHORT group, KAFFINITY affinity,
                                             VOID** ppSharedReceiveQueue) = 0;
    // Each result carries context. ND_INVALID_PARAMETER_n if the nth parameter is bad or over its limit (R16).
    virtual HRESULT CreateQueuePair(REFIID iid, IUnknown* pReceiveCompletionQueue, IUnknown* pInitiatorCompletionQueue,
                                    VOID* context, ULONG receiveQueueDepth, ULONG initiatorQueueDepth,
                                    ULONG maxReceiveRequestSge, ULONG maxInitiatorRequestSge, ULONG inlineDataSize,
                                    VOID** ppQueuePair) = 0;
    // A queue pair that receives from a shared queue. ND_NOT_SUPPORTED if the adapter has none.
    virtual HRESULT CreateQueuePairWithSrq(REFIID iid, IUnknown* pReceiveCompletionQueue,
                                           IUnknown* pInitiatorCompletionQueue, IUnknown* pSharedReceiveQueue,
                                           VOID* context, ULONG initiatorQueueDepth, ULONG maxInitiatorRequestSge,
                                           ULONG inlineDataSize, VOID** ppQueuePair) = 0;
    virtual HRESULT CreateConnector(REFIID iid, HANDLE hOverlappedFile, VOID** ppConnector) = 0;
    virtual HRESULT CreateListener(REFIID iid, HANDLE hOverlappedFile, VOID** ppListener) = 0;

protected:
    ~IND2Adapter() = default;
};

// Opens adapters by their ids.
struct IND2Provider : IUnknown {
    // All local addresses of its adapters. ND_BUFFER_OVERFLOW returns only the size.
    virtual HRESULT QueryAddressList(SOCKET_ADDRESS_LIST* pAddressList, ULONG* pcbAddressList) = 0;
    // The adapter of an address; its port does not matter. ND_INVALID_ADDRESS if no adapter has it.
    virtual HRESULT ResolveAddress(const sockaddr* pAddress, ULONG cbAddress, UINT64* pAdapterId) = 0;
    // ND_INVALID_PARAMETER if no adapter has that id.
    virtual HRESULT OpenAdapter(REFIID iid, UINT64 adapterId, VOID** ppAdapter) = 0;

protected:
    ~IND2Provider() = default;
};
