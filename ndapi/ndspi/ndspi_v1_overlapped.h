// SPDX-License-Identifier: Apache-2.0
// NetworkDirect 1: the base of objects whose calls complete later (ndspi.md 3.2).
//
// Such a call returns ND_SUCCESS if it is done, ND_PENDING if the overlapped will complete, or an error; then the
// overlapped never completes. Every call may return ND_DEVICE_REMOVED.
#pragma once

#include "ndapi/ndspi/nddef.h"
#include "ndapi/ndspi/nddef_v1.h"
#include "ndapi/ndspi/ndspi_iids.h"
#include "ndapi/ndspi/ndstatus.h"
#include "ndapi/windows/abi/overlapped.h"
#include "ndapi/windows/abi/unknown.h"

// The overlapped calls of an object.
struct INDOverlapped : IUnknown {
    // Completes all pending calls on this object with ND_CANCELED. ND_UNSUCCESSFUL if it cannot cancel all.
    virtual HRESULT CancelOverlappedRequests() = 0;
    // The status of a call; may be asked repeatedly (R140). ND_PENDING while the call is pending; with bWait it returns
    // only at its end, for which the overlapped needs an event.
    virtual HRESULT GetOverlappedResult(OVERLAPPED* pOverlapped, SIZE_T* pNumberOfBytesTransferred, BOOL bWait) = 0;

protected:
    ~INDOverlapped() = default;
};
