// SPDX-License-Identifier: Apache-2.0
// The structures of NetworkDirect's version 2 (ndspi.md 2.3). For C++ and C.
#pragma once

#ifdef __cplusplus
#include "ndapi/windows/abi/hresult.h"
#endif  // C has the Windows types from the headers that include this one

// There is no type for a SendAndInvalidate, which version 2 lacks (R57).
typedef enum ND2_REQUEST_TYPE {
    Nd2RequestTypeReceive = 0,
    Nd2RequestTypeSend = 1,
    Nd2RequestTypeBind = 2,
    Nd2RequestTypeInvalidate = 3,
    Nd2RequestTypeRead = 4,
    Nd2RequestTypeWrite = 5,
} ND2_REQUEST_TYPE;

// A completion, copied out of the queue.
typedef struct ND2_RESULT {
    HRESULT Status;
    ULONG BytesTransferred;  // of a Receive; otherwise undefined (R32)
    VOID* QueuePairContext;  // as given when the queue pair was created
    VOID* RequestContext;    // as given to the post
    ND2_REQUEST_TYPE RequestType;
} ND2_RESULT;

// One piece of local memory. An inline request ignores the token (R145).
typedef struct ND2_SGE {
    VOID* Buffer;
    ULONG BufferLength;
    UINT32 MemoryRegionToken;
} ND2_SGE;

// The limits of an adapter. The caller sets InfoVersion to 1 first.
typedef struct ND2_ADAPTER_INFO {
    ULONG InfoVersion;
    UINT16 VendorId;
    UINT16 DeviceId;
    UINT64 AdapterId;
    SIZE_T MaxRegistrationSize;  // bytes of one region
    SIZE_T MaxWindowSize;        // documented as unused
    ULONG MaxInitiatorSge;
    ULONG MaxReceiveSge;
    ULONG MaxReadSge;         // at most MaxInitiatorSge
    ULONG MaxTransferLength;  // bytes of one request (R8)
    ULONG MaxInlineDataSize;
    ULONG MaxInboundReadLimit;   // a peer's Reads in progress
    ULONG MaxOutboundReadLimit;  // own Reads in progress
    ULONG MaxReceiveQueueDepth;
    ULONG MaxInitiatorQueueDepth;
    ULONG MaxSharedReceiveQueueDepth;  // 0: no shared receive queues
    ULONG MaxCompletionQueueDepth;
    ULONG InlineRequestThreshold;  // a hint: below this many bytes inline data beats DMA (B7)
    ULONG LargeRequestThreshold;   // a hint: above this many bytes Read or Write beats Send
    ULONG MaxCallerData;           // bytes of private data with a Connect
    ULONG MaxCalleeData;           // bytes of private data with an Accept or a Reject
    ULONG AdapterFlags;            // ND_ADAPTER_FLAG_*
} ND2_ADAPTER_INFO;
