// SPDX-License-Identifier: Apache-2.0
// NetworkDirect 2: completion queues, shared receive queues and queue pairs (ndspi.md 4.4, 4.5, 4.8).
#pragma once

#include "ndapi/ndspi/ndspi_v2_overlapped.h"

constexpr IID IID_IND2CompletionQueue{0x20CC445E, 0x64A0, 0x4CBB, {0xAA, 0x75, 0xF6, 0xA7, 0x25, 0x1F, 0xDA, 0x9E}};
constexpr IID IID_IND2SharedReceiveQueue{0xAABD67DC, 0x459A, 0x4DB1, {0x82, 0x6B, 0x56, 0xCF, 0xCC, 0x27, 0x88, 0x83}};
constexpr IID IID_IND2QueuePair{0xEEF2F332, 0xB75D, 0x4063, {0xBC, 0xE3, 0x3A, 0x0B, 0xAD, 0x2D, 0x02, 0xCE}};

struct IND2CompletionQueue : IND2Overlapped {
    // The processors that its notifications come from. ND_NOT_SUPPORTED where the adapter does not say.
    virtual HRESULT GetNotifyAffinity(USHORT* pGroup, KAFFINITY* pAffinity) = 0;
    // Another depth; no result is lost. ND_BUFFER_OVERFLOW below what it holds, ND_INVALID_PARAMETER over the
    // adapter's limit, ND_NOT_SUPPORTED without its flag (R89).
    virtual HRESULT Resize(ULONG queueDepth) = 0;
    // Completes once, at the next result that type (ND_CQ_NOTIFY_*) wants, or at once if one has come since the last
    // time and is still there (R77 to R86, B16). ND_BUFFER_OVERFLOW after an overrun (R72, R75), ND_INTERNAL_ERROR,
    // ND_CANCELED (R88).
    virtual HRESULT Notify(ULONG type, OVERLAPPED* pOverlapped) = 0;
    // Takes up to nResults results out, oldest first. Returns how many (R71).
    virtual ULONG GetResults(ND2_RESULT results[], ULONG nResults) = 0;

protected:
    ~IND2CompletionQueue() = default;
};

struct IND2SharedReceiveQueue : IND2Overlapped {
    // As a completion queue's.
    virtual HRESULT GetNotifyAffinity(USHORT* pGroup, KAFFINITY* pAffinity) = 0;
    // Another depth and another threshold; 0 leaves either as it is. ND_BUFFER_OVERFLOW below what it holds.
    virtual HRESULT Modify(ULONG queueDepth, ULONG notifyThreshold) = 0;
    // Completes when fewer Receives than the threshold are left, for all that wait.
    virtual HRESULT Notify(OVERLAPPED* pOverlapped) = 0;
    // Posts a Receive for whichever queue pair needs one first; the result goes to that one's completion queue.
    virtual HRESULT Receive(VOID* requestContext, const ND2_SGE sge[], ULONG nSge) = 0;

protected:
    ~IND2SharedReceiveQueue() = default;
};

// A post returns ND_SUCCESS if the request is queued: then exactly one result will come, or none if it was silent and
// succeeded. If it returns anything else nothing was queued (R10, R11). Those for the initiator queue return
// ND_CONNECTION_INVALID without a connection (R1, R2), ND_NO_MORE_ENTRIES if it is full (R4), ND_INVALID_PARAMETER_n
// for a flag that is not theirs (R14). Those with a list return ND_DATA_OVERRUN for too many elements (R6, R7),
// ND_BUFFER_OVERFLOW for too many bytes (R8, R9). The list is theirs only during the call (R12).
struct IND2QueuePair : IUnknown {
    // Begins to cancel all that is posted, in both directions; each request has the result ND_CANCELED (R92).
    virtual HRESULT Flush() = 0;
    // Sends a message, which consumes one Receive of the peer. Without a list it is empty (R27).
    virtual HRESULT Send(VOID* requestContext, const ND2_SGE sge[], ULONG nSge, ULONG flags) = 0;
    // Posts a Receive, also before there is a connection (R3). ND_NO_MORE_ENTRIES if the receive queue is full (R5).
    virtual HRESULT Receive(VOID* requestContext, const ND2_SGE sge[], ULONG nSge) = 0;
    // Opens a window onto a part of a region. ND_ACCESS_VIOLATION if peers are to write what the adapter may not
    // (R112).
    virtual HRESULT Bind(VOID* requestContext, IUnknown* pMemoryRegion, IUnknown* pMemoryWindow, const VOID* pBuffer,
                         SIZE_T cbBuffer, ULONG flags) = 0;
    // Closes a window: the peer's use of it is an error from then on (R52).
    virtual HRESULT Invalidate(VOID* requestContext, IUnknown* pMemoryWindow, ULONG flags) = 0;
    // Fetches the peer's memory into the list. The address is in host order. Without a list it touches no memory
    // (R119).
    virtual HRESULT Read(VOID* requestContext, const ND2_SGE sge[], ULONG nSge, UINT64 remoteAddress,
                         UINT32 remoteToken, ULONG flags) = 0;
    // Puts the list's bytes into the peer's memory. The peer is not told (R120).
    virtual HRESULT Write(VOID* requestContext, const ND2_SGE sge[], ULONG nSge, UINT64 remoteAddress,
                          UINT32 remoteToken, ULONG flags) = 0;

protected:
    ~IND2QueuePair() = default;
};
