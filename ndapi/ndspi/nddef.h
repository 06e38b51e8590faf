// SPDX-License-Identifier: Apache-2.0
// NetworkDirect's flags, and the structures of its version 2 (ndspi.md 2.1, 2.3).
#pragma once

#include "ndapi/win/hresult.h"

inline constexpr ULONG ND_VERSION_1 = 0x1;  // also what INDAdapter::Query is asked for
inline constexpr ULONG ND_VERSION_2 = 0x20000;

// AdapterFlags. Payload lands in memory in order (B8):
inline constexpr ULONG ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED = 0x00000001;
inline constexpr ULONG ND_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED = 0x00000004;
inline constexpr ULONG ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED = 0x00000008;  // completion queues progress in parallel
inline constexpr ULONG ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED = 0x00000100;     // R89
inline constexpr ULONG ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED = 0x00010000;

// What Notify waits for. The numbers are not in order of strength, which is ERRORS, SOLICITED, ANY.
inline constexpr ULONG ND_CQ_NOTIFY_ERRORS = 0;
inline constexpr ULONG ND_CQ_NOTIFY_ANY = 1;
inline constexpr ULONG ND_CQ_NOTIFY_SOLICITED = 2;

// The same as the pages of version 1 spell them.
inline constexpr ULONG NdCqNotifyErrors = ND_CQ_NOTIFY_ERRORS;
inline constexpr ULONG NdCqNotifyAny = ND_CQ_NOTIFY_ANY;
inline constexpr ULONG NdCqNotifySolicited = ND_CQ_NOTIFY_SOLICITED;

// Rights of IND2MemoryRegion::Register. The adapter may always read.
inline constexpr ULONG ND_MR_FLAG_ALLOW_LOCAL_WRITE = 0x00000001;
inline constexpr ULONG ND_MR_FLAG_ALLOW_REMOTE_READ = 0x00000002;
inline constexpr ULONG ND_MR_FLAG_ALLOW_REMOTE_WRITE = 0x00000005;  // two bits: contains local write
inline constexpr ULONG ND_MR_FLAG_RDMA_READ_SINK = 0x00000008;      // may receive what a Read fetches
inline constexpr ULONG ND_MR_FLAG_DO_NOT_SECURE_VM = 0x80000000;    // does not lock the mapping

// Flags of requests.
inline constexpr ULONG ND_OP_FLAG_SILENT_SUCCESS = 0x00000001;          // no result if it succeeds (R67)
inline constexpr ULONG ND_OP_FLAG_READ_FENCE = 0x00000002;              // starts after all earlier Reads (R62)
inline constexpr ULONG ND_OP_FLAG_SEND_AND_SOLICIT_EVENT = 0x00000004;  // Send, SendAndInvalidate (R81)
inline constexpr ULONG ND_OP_FLAG_ALLOW_READ = 0x00000008;              // Bind: the peer may read
inline constexpr ULONG ND_OP_FLAG_ALLOW_WRITE = 0x00000010;             // Bind: the peer may write
inline constexpr ULONG ND_OP_FLAG_INLINE = 0x00000020;                  // version 2: Send, Write (R145)

// There is none for a SendAndInvalidate, which version 2 lacks (R57).
enum ND2_REQUEST_TYPE : int {
    Nd2RequestTypeReceive = 0,
    Nd2RequestTypeSend = 1,
    Nd2RequestTypeBind = 2,
    Nd2RequestTypeInvalidate = 3,
    Nd2RequestTypeRead = 4,
    Nd2RequestTypeWrite = 5,
};

// A completion, copied out of the queue.
struct ND2_RESULT {
    HRESULT Status;
    ULONG BytesTransferred;  // of a Receive; undefined for anything else (R32)
    VOID* QueuePairContext;  // as given when the queue pair was created
    VOID* RequestContext;    // as given to the post
    ND2_REQUEST_TYPE RequestType;
};

// One piece of local memory. An inline request ignores the token (R145).
struct ND2_SGE {
    VOID* Buffer;
    ULONG BufferLength;
    UINT32 MemoryRegionToken;
};

// The limits of an adapter. Whoever queries sets InfoVersion to 1 first.
struct ND2_ADAPTER_INFO {
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
};
