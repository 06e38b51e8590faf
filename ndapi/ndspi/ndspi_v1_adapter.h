// SPDX-License-Identifier: Apache-2.0
// NetworkDirect 1: adapters, and the provider that opens them (ndspi.md 3.1, 3.3). Creating returns ND_NO_MEMORY or
// ND_INSUFFICIENT_RESOURCES if there is no room.
#pragma once

#include "ndapi/ndspi/ndspi_v1_connections.h"
#include "ndapi/windows/abi/socket_address.h"

// An opened adapter, which creates all other objects.
struct INDAdapter : INDOverlapped {
    // The file of all overlapped calls, for a completion port. INVALID_HANDLE_VALUE if there is none.
    virtual HANDLE GetFileHandle() = 0;
    // The limits. VersionRequested is ND_VERSION_1. ND_BUFFER_OVERFLOW returns only the size.
    virtual HRESULT Query(DWORD VersionRequested, ND_ADAPTER_INFO* pInfo, SIZE_T* pBufferSize) = 0;
    // A vendor's own calls. ND_NOT_SUPPORTED if there are none.
    virtual HRESULT Control(DWORD IoControlCode, const VOID* pInBuffer, SIZE_T InBufferSize, VOID* pOutBuffer,
                            SIZE_T OutBufferSize, SIZE_T* pBytesReturned, OVERLAPPED* pOverlapped) = 0;
    // ND_INVALID_PARAMETER for a depth of 0 or over MaxCqEntries (R17).
    virtual HRESULT CreateCompletionQueue(SIZE_T nEntries, INDCompletionQueue** ppCq) = 0;
    // Gives the adapter itself access; peers get theirs through windows. The handle is valid at completion (R122).
    // ND_ACCESS_VIOLATION if it is no memory, ND_INVALID_PARAMETER over MaxRegistrationSize.
    virtual HRESULT RegisterMemory(const VOID* pBuffer, SIZE_T BufferSize, OVERLAPPED* pOverlapped,
                                   ND_MR_HANDLE* phMr) = 0;
    // ND_INVALID_HANDLE, ND_DEVICE_BUSY while a window is bound to it (R116).
    virtual HRESULT DeregisterMemory(ND_MR_HANDLE hMr, OVERLAPPED* pOverlapped) = 0;
    // Creates an unbound window. Its owner gets the result when a peer invalidates the window (R34, R56).
    virtual HRESULT CreateMemoryWindow(ND_RESULT* pInvalidateResult, INDMemoryWindow** ppMw) = 0;
    virtual HRESULT CreateConnector(INDConnector** ppConnector) = 0;
    // Listens at Port, or at any (0), with room for Backlog requests (0: no bound). Protocol is IANA's number.
    // ND_INVALID_PARAMETER_2 for another protocol, ND_ADDRESS_ALREADY_EXISTS (R133), ND_INVALID_PARAMETER_MIX (R138).
    virtual HRESULT Listen(SIZE_T Backlog, INT Protocol, USHORT Port, USHORT* pAssignedPort, INDListen** ppListen) = 0;

protected:
    ~INDAdapter() = default;
};

// Opens adapters by their addresses.
struct INDProvider : IUnknown {
    // All local addresses of its adapters. ND_BUFFER_OVERFLOW returns only the size.
    virtual HRESULT QueryAddressList(SOCKET_ADDRESS_LIST* pAddressList, SIZE_T* pBufferSize) = 0;
    // Opens the adapter of an address; its port does not matter. ND_INVALID_ADDRESS if no adapter has it.
    virtual HRESULT OpenAdapter(const sockaddr* pAddress, SIZE_T AddressLength, INDAdapter** ppAdapter) = 0;

protected:
    ~INDProvider() = default;
};
