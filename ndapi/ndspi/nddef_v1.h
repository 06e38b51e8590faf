// SPDX-License-Identifier: Apache-2.0
// The structures of NetworkDirect's version 1 (ndspi.md 2.3). For C++ and C.
#pragma once

#ifdef __cplusplus
#include "ndapi/windows/abi/hresult.h"
#endif  // C has the Windows types from the headers that include this one

// A registered piece of memory. Only the provider knows its contents.
typedef struct ND_MR_HANDLE__* ND_MR_HANDLE;

// A place for a request's result. The client owns it, gives it to the post, and gets it back when GetResults returns
// its address (R13).
typedef struct ND_RESULT {
    HRESULT Status;
    SIZE_T BytesTransferred;  // undefined for Bind and Invalidate (R32)
} ND_RESULT;

// One piece of local memory. Without a handle the data is taken during the call (R144).
typedef struct ND_SGE {
    VOID* pAddr;
    SIZE_T Length;
    ND_MR_HANDLE hMr;
} ND_SGE;

// A window as its owner sends it to the peer, all in network byte order and without padding. Base need not be the
// buffer's address: a Read or Write gives an offset from it.
#pragma pack(push, 1)
typedef struct ND_MW_DESCRIPTOR {
    UINT64 Base;
    UINT64 Length;
    UINT32 Token;
} ND_MW_DESCRIPTOR;
#pragma pack(pop)

// The limits of an adapter. Inbound means Receives, outbound all other requests.
typedef struct ND_ADAPTER_INFO1 {
    UINT32 VendorId;
    UINT32 DeviceId;
    SIZE_T MaxInboundSge;
    SIZE_T MaxInboundRequests;
    SIZE_T MaxInboundLength;  // bytes of one request (R9)
    SIZE_T MaxOutboundSge;
    SIZE_T MaxOutboundRequests;
    SIZE_T MaxOutboundLength;     // bytes of one request (R8)
    SIZE_T MaxInlineData;         // bytes from unregistered memory
    SIZE_T MaxInboundReadLimit;   // a peer's Reads in progress
    SIZE_T MaxOutboundReadLimit;  // own Reads in progress
    SIZE_T MaxCqEntries;
    SIZE_T MaxRegistrationSize;    // bytes of one registration
    SIZE_T MaxWindowSize;          // bytes of one window
    SIZE_T LargeRequestThreshold;  // a hint: above this many bytes Read or Write beats Send
    SIZE_T MaxCallerData;          // bytes of private data with a Connect
    SIZE_T MaxCalleeData;          // bytes of private data with an Accept or a Reject
} ND_ADAPTER_INFO1;
typedef ND_ADAPTER_INFO1 ND_ADAPTER_INFO;
