// SPDX-License-Identifier: Apache-2.0
// NetworkDirect 2: memory regions and windows (ndspi.md 4.6, 4.7). Remote tokens are in network byte order; the peer
// uses them as they are.
#pragma once

#include "ndapi/ndspi/ndspi_v2_overlapped.h"

// Memory that is registered with the adapter.
struct IND2MemoryRegion : IND2Overlapped {
    // Gives the adapter, and with flags (ND_MR_FLAG_*) the peers, access to one buffer. ND_ACCESS_VIOLATION for null or
    // no bytes, in the profile infiniband ND_INVALID_PARAMETER and ND_INVALID_BUFFER_SIZE; ND_INVALID_PARAMETER over
    // MaxRegistrationSize (R118); ND_INVALID_DEVICE_STATE if already registered.
    virtual HRESULT Register(const VOID* pBuffer, SIZE_T cbBuffer, ULONG flags, OVERLAPPED* pOverlapped) = 0;
    // ND_DEVICE_BUSY while a window is bound to it (R116).
    virtual HRESULT Deregister(OVERLAPPED* pOverlapped) = 0;
    virtual UINT32 GetLocalToken() = 0;
    virtual UINT32 GetRemoteToken() = 0;

protected:
    ~IND2MemoryRegion() = default;
};

// A peer's access to part of a region.
struct IND2MemoryWindow : IUnknown {
    // Valid as soon as Bind has returned (R113).
    virtual UINT32 GetRemoteToken() = 0;

protected:
    ~IND2MemoryWindow() = default;
};
