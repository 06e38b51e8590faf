// SPDX-License-Identifier: Apache-2.0
// NetworkDirect 2: completion queues, shared receive queues and queue pairs (ndspi.md 4.4, 4.5, 4.8).
#pragma once

#include "ndapi/ndspi/ndspi_v2_overlapped.h"

// A queue of results, for any number of queue pairs.
struct IND2CompletionQueue : IND2Overlapped {
    // The processors of its notifications. ND_NOT_SUPPORTED if the adapter does not tell.
    virtual HRESULT GetNotifyAffinity(USHORT* pGroup, KAFFINITY* pAffinity) = 0;
    // Changes the depth; no result is lost. ND_BUFFER_OVERFLOW below its number of results, ND_INVALID_PARAMETER over
    // the adapter's limit, ND_NOT_SUPPORTED without its flag (R89).
    virtual HRESULT Resize(ULONG queueDepth) = 0;
    // Completes once, at the next result of the kind type (ND_CQ_NOTIFY_*), or at once if one has come since the last
    // time and is still there (R77 to R86, B16). ND_BUFFER_OVERFLOW after an overrun (R72, R75), ND_INTERNAL_ERROR,
    // ND_CANCELED (R88).
    virtual HRESULT Notify(ULONG type, OVERLAPPED* pOverlapped) = 0;
    // Takes up to nResults results out, oldest first. Returns their number (R71).
    virtual ULONG GetResults(ND2_RESULT results[], ULONG nResults) = 0;

protected:
    ~IND2CompletionQueue() = default;
};

// Receives for several queue pairs.
struct IND2SharedReceiveQueue : IND2Overlapped {
    // As for a completion queue.
    virtual HRESULT GetNotifyAffinity(USHORT* pGroup, KAFFINITY* pAffinity) = 0;
    // Changes depth and threshold; 0 keeps the old value. ND_BUFFER_OVERFLOW below its number of Receives.
    virtual HRESULT Modify(ULONG queueDepth, ULONG notifyThreshold) = 0;
    // Completes all waiting requests when fewer Receives than the threshold are left.
    virtual HRESULT Notify(OVERLAPPED* pOverlapped) = 0;
    // Posts a Receive for the first queue pair that needs one; the result goes to that pair's completion queue.
    virtual HRESULT Receive(VOID* requestContext, const ND2_SGE sge[], ULONG nSge) = 0;

protected:
    ~IND2SharedReceiveQueue() = default;
};

// A post returns ND_SUCCESS if the request is queued: then exactly one result will come, or none if it was silent and
// succeeded. After any other return nothing was queued (R10, R11). Posts to the initiator queue return
// ND_CONNECTION_INVALID without a connection (R1, R2), ND_NO_MORE_ENTRIES if it is full (R4), ND_INVALID_PARAMETER_n
// for a flag that is not theirs (R14). Posts with a list return ND_DATA_OVERRUN for too many elements (R6, R7),
// ND_BUFFER_OVERFLOW for too many bytes (R8, R9). They use the list only during the call (R12).
struct IND2QueuePair : IUnknown {
    // Starts to cancel all posted requests, in both directions; each has the result ND_CANCELED (R92).
    virtual HRESULT Flush() = 0;
    // Sends a message, which consumes one Receive of the peer. Without a list it is empty (R27).
    virtual HRESULT Send(VOID* requestContext, const ND2_SGE sge[], ULONG nSge, ULONG flags) = 0;
    // Posts a Receive, even without a connection (R3). ND_NO_MORE_ENTRIES if the receive queue is full (R5).
    virtual HRESULT Receive(VOID* requestContext, const ND2_SGE sge[], ULONG nSge) = 0;
    // Opens a window onto part of a region. ND_ACCESS_VIOLATION if peers get write access that the adapter lacks
    // (R112).
    virtual HRESULT Bind(VOID* requestContext, IUnknown* pMemoryRegion, IUnknown* pMemoryWindow, const VOID* pBuffer,
                         SIZE_T cbBuffer, ULONG flags) = 0;
    // Closes a window: the peer's use of it is an error from then on (R52).
    virtual HRESULT Invalidate(VOID* requestContext, IUnknown* pMemoryWindow, ULONG flags) = 0;
    // Reads the peer's memory into the list. The address is in host order. Without a list it touches no memory (R119).
    virtual HRESULT Read(VOID* requestContext, const ND2_SGE sge[], ULONG nSge, UINT64 remoteAddress,
                         UINT32 remoteToken, ULONG flags) = 0;
    // Writes the list's bytes to the peer's memory. The peer is not told (R120).
    virtual HRESULT Write(VOID* requestContext, const ND2_SGE sge[], ULONG nSge, UINT64 remoteAddress,
                          UINT32 remoteToken, ULONG flags) = 0;

protected:
    ~IND2QueuePair() = default;
};
