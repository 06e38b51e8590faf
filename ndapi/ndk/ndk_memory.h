// SPDX-License-Identifier: Apache-2.0
// Functions that make memory known to the adapter (ndkpi.md 3.6). Those with a RequestCompletion may return
// STATUS_PENDING and call it once (K16).
#pragma once

#include "ndapi/ndk/ndk_callbacks.h"
#include "ndapi/ndk/ndk_types.h"

// Returns the token for logical addresses: local read and write, never good for a peer (K118, K119).
typedef VOID (*NDK_FN_GET_PRIVILEGED_MEMORY_REGION_TOKEN)(NDK_PD* pNdkPd, UINT32* pToken);

// Registers Length bytes from the first MDL's virtual address, with the rights in Flags (NDK_MR_FLAG_*, K122).
// STATUS_INVALID_PARAMETER if the chain has a gap (K120), STATUS_INSUFFICIENT_RESOURCES.
typedef NTSTATUS (*NDK_FN_REGISTER_MR)(NDK_MR* pNdkMr, MDL* pMdl, SIZE_T Length, ULONG Flags,
                                       NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);

// Undoes NdkRegisterMr; its tokens become invalid. STATUS_DEVICE_BUSY while a window is bound to the MR.
typedef NTSTATUS (*NDK_FN_DEREGISTER_MR)(NDK_MR* pNdkMr, NDK_FN_REQUEST_COMPLETION RequestCompletion,
                                         PVOID RequestContext);

// Prepares an MR for fast registrations of up to AdapterPageCount pages; from then on its tokens can be read (K127).
// STATUS_IMPLEMENTATION_LIMIT for too many pages (K124), STATUS_INVALID_DEVICE_REQUEST for the other kind of MR (K137).
typedef NTSTATUS (*NDK_FN_INITIALIZE_FAST_REGISTER_MR)(NDK_MR* pNdkMr, ULONG AdapterPageCount, BOOLEAN RemoteAccess,
                                                       NDK_FN_REQUEST_COMPLETION RequestCompletion,
                                                       PVOID RequestContext);

// Returns the MR's token for the consumer's own lists.
typedef UINT32 (*NDK_FN_GET_LOCAL_TOKEN_FROM_MR)(NDK_MR* pNdkMr);

// Returns the MR's token to hand to peers (K127).
typedef UINT32 (*NDK_FN_GET_REMOTE_TOKEN_FROM_MR)(NDK_MR* pNdkMr);

// Returns the window's token to hand to peers: a new one from each Bind (K129).
typedef UINT32 (*NDK_FN_GET_REMOTE_TOKEN_FROM_MW)(NDK_MW* pNdkMw);

// Maps Length bytes for the adapter and lists the pages, with the offset in the first in *pFBO (K135, K136).
// STATUS_BUFFER_TOO_SMALL with the size needed in *pLAMSize; STATUS_INVALID_PARAMETER; STATUS_INSUFFICIENT_RESOURCES.
typedef NTSTATUS (*NDK_FN_BUILD_LAM)(NDK_ADAPTER* pNdkAdapter, MDL* pMdl, SIZE_T Length,
                                     NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext,
                                     NDK_LOGICAL_ADDRESS_MAPPING* pLAM, ULONG* pLAMSize, ULONG* pFBO);

// Unmaps. No request may use the mapping any more.
typedef VOID (*NDK_FN_RELEASE_LAM)(NDK_ADAPTER* pNdkAdapter, NDK_LOGICAL_ADDRESS_MAPPING* pLAM);
