// SPDX-License-Identifier: Apache-2.0
// NetworkDirect 1: completion queues, memory windows and endpoints (ndspi.md 3.4 to 3.6).
#pragma once

#include "ndapi/ndspi/ndspi_v1_overlapped.h"

// A queue of results, for any number of endpoints.
struct INDCompletionQueue : INDOverlapped {
    // Changes the depth; no result is lost. ND_BUFFER_OVERFLOW below its number of results, ND_INVALID_PARAMETER over
    // MaxCqEntries (R89).
    virtual HRESULT Resize(SIZE_T nEntries) = 0;
    // Completes once, at the next result of the kind Type (ND_CQ_NOTIFY_*), or at once if one has come since the last
    // time and is still there (R77 to R86). ND_BUFFER_OVERFLOW after an overrun (R72, R75), ND_FAILURE, ND_CANCELED
    // (R88).
    virtual HRESULT Notify(DWORD Type, OVERLAPPED* pOverlapped) = 0;
    // Takes up to nResults results out, oldest first, as the addresses that the posts gave. Returns their number (R71).
    virtual SIZE_T GetResults(ND_RESULT* pResults[], SIZE_T nResults) = 0;

protected:
    ~INDCompletionQueue() = default;
};

// Has no methods of its own: endpoints bind and invalidate it.
struct INDMemoryWindow : IUnknown {
protected:
    ~INDMemoryWindow() = default;
};

// A post returns ND_SUCCESS if the request is queued: then exactly one result will come, or none if it was silent and
// succeeded. After any other return nothing was queued (R10, R11). Posts to the outbound queue return
// ND_CONNECTION_INVALID without a connection (R1, R2), ND_NO_MORE_ENTRIES if it is full (R4). Posts with a list return
// ND_DATA_OVERRUN for too many elements (R6, R7), ND_BUFFER_OVERFLOW for too many bytes (R8, R9). They use the list
// only during the call (R12), the data and the ND_RESULT until the result is back.
struct INDEndpoint : IUnknown {
    // Starts to cancel all posted requests, in both directions; each has the result ND_CANCELED (R92).
    virtual HRESULT Flush() = 0;
    // Hints that more requests follow, and that there are no more; they change no results.
    virtual VOID StartRequestBatch() = 0;
    virtual VOID SubmitRequestBatch() = 0;
    // Sends a message, which consumes one Receive of the peer. Without a list it is empty (R27).
    virtual HRESULT Send(ND_RESULT* pResult, const ND_SGE* pSgl, SIZE_T nSge, DWORD Flags) = 0;
    // Sends a message that also invalidates a window of the peer. The peer gets two results: the window's, then the
    // Receive's (R33, R34).
    virtual HRESULT SendAndInvalidate(ND_RESULT* pResult, const ND_SGE* pSgl, SIZE_T nSge,
                                      const ND_MW_DESCRIPTOR* pRemoteMwDescriptor, DWORD Flags) = 0;
    // Posts a Receive, even without a connection (R3). ND_NO_MORE_ENTRIES if the inbound queue is full (R5).
    virtual HRESULT Receive(ND_RESULT* pResult, const ND_SGE* pSgl, SIZE_T nSge) = 0;
    // Opens a window onto part of a registration. The descriptor is valid on return (R113).
    virtual HRESULT Bind(ND_RESULT* pResult, ND_MR_HANDLE hMr, INDMemoryWindow* pMw, const VOID* pBuffer,
                         SIZE_T BufferSize, DWORD Flags, ND_MW_DESCRIPTOR* pMwDescriptor) = 0;
    // Closes a window: the peer's use of it is an error from then on (R52).
    virtual HRESULT Invalidate(ND_RESULT* pResult, INDMemoryWindow* pMw, DWORD Flags) = 0;
    // Reads the peer's window, from Offset on, into the list. Without a list it touches no memory (R119).
    virtual HRESULT Read(ND_RESULT* pResult, const ND_SGE* pSgl, SIZE_T nSge,
                         const ND_MW_DESCRIPTOR* pRemoteMwDescriptor, ULONGLONG Offset, DWORD Flags) = 0;
    // Writes the list's bytes to the peer's window, from Offset on. The peer is not told (R120).
    virtual HRESULT Write(ND_RESULT* pResult, const ND_SGE* pSgl, SIZE_T nSge,
                          const ND_MW_DESCRIPTOR* pRemoteMwDescriptor, ULONGLONG Offset, DWORD Flags) = 0;

protected:
    ~INDEndpoint() = default;
};
