// SPDX-License-Identifier: Apache-2.0
// What an NDK adapter says about itself (ndkpi.md 2.6).
#pragma once

#include "ndapi/win/types.h"

struct NDK_VERSION {
    USHORT Major;
    USHORT Minor;
};

enum NDK_RDMA_TECHNOLOGY : int {
    NdkUndefined = 0,
    NdkiWarp = 1,
    NdkInfiniBand = 2,
    NdkRoCE = 3,
    NdkRoCEv2 = 4,
    NdkMaxTechnology = 5,
};

// AdapterFlags. No later byte of a buffer becomes visible before an earlier one (K144):
inline constexpr ULONG NDK_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED = 0x00000001;
// A Read's sink needs no more than local write (K121):
inline constexpr ULONG NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED = 0x00000002;
inline constexpr ULONG NDK_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED = 0x00000004;  // K92
inline constexpr ULONG NDK_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED = 0x00000008;
inline constexpr ULONG NDK_ADAPTER_FLAG_RDMA_READ_LOCAL_INVALIDATE_SUPPORTED = 0x00000010;  // 1.2; K140, K141
inline constexpr ULONG NDK_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED = 0x00000100;                   // K170
inline constexpr ULONG NDK_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED = 0x00010000;        // K189

// The limits of an adapter. Each create call is checked against them (K21).
struct NDK_ADAPTER_INFO {
    NDK_VERSION Version;  // the highest minor of the agreed major (K10)
    UINT32 VendorId;
    UINT32 DeviceId;
    SIZE_T MaxRegistrationSize;    // bytes of one MR
    SIZE_T MaxWindowSize;          // bytes of one MW; 0: no windows
    ULONG FRMRPageCount;           // the size at which most fast-register MRs are to be had; at least 16 (K211)
    ULONG MaxInitiatorRequestSge;  // of any initiator request but a Read
    ULONG MaxReceiveRequestSge;
    ULONG MaxReadRequestSge;     // K30
    ULONG MaxTransferLength;     // bytes of one request (K31)
    ULONG MaxInlineDataSize;     // bytes of one Send or Write
    ULONG MaxInboundReadLimit;   // a peer's Reads in progress on one QP
    ULONG MaxOutboundReadLimit;  // own Reads in progress on one QP
    ULONG MaxReceiveQueueDepth;
    ULONG MaxInitiatorQueueDepth;
    ULONG MaxSrqDepth;  // 0: no SRQ
    ULONG MaxCqDepth;
    ULONG LargeRequestThreshold;  // a hint: above this many bytes Read or Write beats Send
    ULONG MaxCallerData;          // bytes of private data with a connect
    ULONG MaxCalleeData;          // bytes of private data with an accept or a reject
    ULONG AdapterFlags;           // NDK_ADAPTER_FLAG_*
    NDK_RDMA_TECHNOLOGY RdmaTechnology;
};
