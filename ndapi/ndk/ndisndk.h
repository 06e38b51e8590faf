// SPDX-License-Identifier: Apache-2.0
// How to open and close an NDK adapter (ndkpi.md 3.0). Both calls may block.
#pragma once

#include "ndapi/ndk/ndk_types.h"

typedef struct _NDIS_OPEN_NDK_ADAPTER_PARAMETERS {
    NDK_VERSION Version;  // the version that the consumer wants
} NDIS_OPEN_NDK_ADAPTER_PARAMETERS;

// Counters of an adapter since its start (K208 to K210); reserved fields are 0.
typedef struct _NDIS_NDK_PERFORMANCE_COUNTERS {
    ULONG64 Connect;          // connects that led to a connection
    ULONG64 Accept;           // accepts that led to a connection
    ULONG64 ConnectFailure;   // connects that did not
    ULONG64 ConnectionError;  // connections that failed before the consumer disconnected
    ULONG64 ActiveConnection;
    ULONG64 Reserved[20];
    ULONG64 CQError;       // CQs that entered the error state
    ULONG64 RDMAInOctets;  // layer 2 included, as below
    ULONG64 RDMAOutOctets;
    ULONG64 RDMAInFrames;
    ULONG64 RDMAOutFrames;
} NDIS_NDK_PERFORMANCE_COUNTERS;

typedef struct _NDIS_OBJECT_HEADER {
    UCHAR Type;
    UCHAR Revision;
    USHORT Size;
} NDIS_OBJECT_HEADER;

// The abilities of a NIC for all its consumers together.
typedef struct _NDIS_NDK_CAPABILITIES {
    NDIS_OBJECT_HEADER Header;
    ULONG Flags;
    ULONG MaxQpCount;
    ULONG MaxCqCount;
    ULONG MaxMrCount;
    ULONG MaxPdCount;
    ULONG MaxInboundReadLimit;  // over all QPs; 0: no such limit
    ULONG MaxOutboundReadLimit;
    ULONG MaxMwCount;
    ULONG MaxSrqCount;
    ULONG64 MissingCounterMask;  // bit n: counter n of NDIS_NDK_PERFORMANCE_COUNTERS is not kept (K208)
    NDK_ADAPTER_INFO* NdkInfo;
} NDIS_NDK_CAPABILITIES;

// Opens an instance of the adapter, which reports its own highest minor (K10). NDIS_STATUS_BAD_VERSION for another
// major or a minor beyond it, NDIS_STATUS_ADAPTER_NOT_READY while NDK is disabled (K11), NDIS_STATUS_RESOURCES.
typedef NDIS_STATUS (*OPEN_NDK_ADAPTER_HANDLER)(NDIS_HANDLE MiniportAdapterContext,
                                                NDIS_OPEN_NDK_ADAPTER_PARAMETERS* OpenNDKAdapterParameters,
                                                NDK_ADAPTER** ppNdkAdapter);

// Closes it: returns when all its objects are closed and all callbacks have returned (K204). Never from a callback.
typedef VOID (*CLOSE_NDK_ADAPTER_HANDLER)(NDIS_HANDLE MiniportAdapterContext, NDK_ADAPTER* pNdkAdapter);
