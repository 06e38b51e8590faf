// SPDX-License-Identifier: Apache-2.0
// An NDK adapter's report about itself (ndkpi.md 2.6).
#pragma once

#include "ndapi/ndk/ndk_constants.h"
#include "ndapi/windows/abi/types.h"

typedef struct _NDK_VERSION {
    USHORT Major;
    USHORT Minor;
} NDK_VERSION;

typedef enum _NDK_RDMA_TECHNOLOGY {
    NdkUndefined = 0,
    NdkiWarp = 1,
    NdkInfiniBand = 2,
    NdkRoCE = 3,
    NdkRoCEv2 = 4,
    NdkMaxTechnology = 5,
} NDK_RDMA_TECHNOLOGY;

// The limits of an adapter. Each create call is checked against them (K21).
typedef struct _NDK_ADAPTER_INFO {
    NDK_VERSION Version;  // the highest minor of the agreed major (K10)
    UINT32 VendorId;
    UINT32 DeviceId;
    SIZE_T MaxRegistrationSize;    // bytes of one MR
    SIZE_T MaxWindowSize;          // bytes of one MW; 0: no windows
    ULONG FRMRPageCount;           // the size in which most fast-register MRs are available; at least 16 (K211)
    ULONG MaxInitiatorRequestSge;  // of any initiator request except a Read
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
} NDK_ADAPTER_INFO;
