// SPDX-License-Identifier: Apache-2.0
// NetworkDirect 2: the base of objects whose calls complete later (ndspi.md 4.2).
//
// Such a call returns ND_SUCCESS if it is done, ND_PENDING if the overlapped will complete, or an error; then the
// overlapped never completes. Every call may return ND_DEVICE_REMOVED.
#pragma once

#include "ndapi/ndspi/nddef.h"
#include "ndapi/ndspi/ndspi_iids.h"
#include "ndapi/ndspi/ndstatus.h"
#include "ndapi/windows/abi/overlapped.h"
#include "ndapi/windows/abi/unknown.h"

// The overlapped calls of an object.
struct IND2Overlapped : IUnknown {
    // Completes all pending calls on this object with ND_CANCELED (B15). ND_UNSUCCESSFUL if it cannot cancel all.
    virtual HRESULT CancelOverlappedRequests() = 0;
    // The status of a call; may be asked repeatedly (R140). ND_PENDING while the call is pending; with wait it returns
    // only at its end, for which the overlapped needs an event.
    virtual HRESULT GetOverlappedResult(OVERLAPPED* pOverlapped, BOOL wait) = 0;

protected:
    ~IND2Overlapped() = default;
};
