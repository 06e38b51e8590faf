// SPDX-License-Identifier: Apache-2.0
// NDKPI's objects and the structures that calls pass (ndkpi.md 1.1, 2.1 to 2.4).
#pragma once

#include "ndapi/ndk/ndk_constants.h"
#include "ndapi/ndk/ndkinfo.h"
#include "ndapi/windows/abi/mdl.h"
#include "ndapi/windows/abi/types.h"

typedef enum _NDK_OBJECT_TYPE {
    NdkObjectTypeUndefined = 0,
    NdkObjectTypeAdapter = 1,
    NdkObjectTypeQp = 2,
    NdkObjectTypeCq = 3,
    NdkObjectTypeMr = 4,
    NdkObjectTypeMw = 5,
    NdkObjectTypePd = 6,
    NdkObjectTypeSharedEndpoint = 7,
    NdkObjectTypeConnector = 8,
    NdkObjectTypeListener = 9,
    NdkObjectTypeSrq = 10,
    NdkObjectTypeMax = 11,
} NDK_OBJECT_TYPE;

typedef struct _NDK_OBJECT_HEADER_RESERVED_BLOCK {
    PVOID rf[4];
} NDK_OBJECT_HEADER_RESERVED_BLOCK;

// The beginning of every object. The provider fills it in when it makes the object: the version in use, the object's
// type, and nulls in the block that is reserved for the consumer's side (K8).
typedef struct _NDK_OBJECT_HEADER {
    NDK_VERSION Version;
    NDK_OBJECT_TYPE ObjectType;
    NDK_OBJECT_HEADER_RESERVED_BLOCK NdkReserved;
} NDK_OBJECT_HEADER;

typedef struct _NDK_ADAPTER_DISPATCH NDK_ADAPTER_DISPATCH;
typedef struct _NDK_PD_DISPATCH NDK_PD_DISPATCH;
typedef struct _NDK_CQ_DISPATCH NDK_CQ_DISPATCH;
typedef struct _NDK_QP_DISPATCH NDK_QP_DISPATCH;
typedef struct _NDK_SRQ_DISPATCH NDK_SRQ_DISPATCH;
typedef struct _NDK_MR_DISPATCH NDK_MR_DISPATCH;
typedef struct _NDK_MW_DISPATCH NDK_MW_DISPATCH;
typedef struct _NDK_CONNECTOR_DISPATCH NDK_CONNECTOR_DISPATCH;
typedef struct _NDK_LISTENER_DISPATCH NDK_LISTENER_DISPATCH;
typedef struct _NDK_SHARED_ENDPOINT_DISPATCH NDK_SHARED_ENDPOINT_DISPATCH;

// Objects. The consumer calls through Dispatch and may replace it, so the provider sets it once and never reads it
// again (K9).
typedef struct _NDK_ADAPTER {
    NDK_OBJECT_HEADER Header;
    const NDK_ADAPTER_DISPATCH* Dispatch;
} NDK_ADAPTER;
typedef struct _NDK_PD {
    NDK_OBJECT_HEADER Header;
    const NDK_PD_DISPATCH* Dispatch;
} NDK_PD;
typedef struct _NDK_CQ {
    NDK_OBJECT_HEADER Header;
    const NDK_CQ_DISPATCH* Dispatch;
} NDK_CQ;
typedef struct _NDK_QP {
    NDK_OBJECT_HEADER Header;
    const NDK_QP_DISPATCH* Dispatch;
} NDK_QP;
typedef struct _NDK_SRQ {
    NDK_OBJECT_HEADER Header;
    const NDK_SRQ_DISPATCH* Dispatch;
} NDK_SRQ;
typedef struct _NDK_MR {
    NDK_OBJECT_HEADER Header;
    const NDK_MR_DISPATCH* Dispatch;
} NDK_MR;
typedef struct _NDK_MW {
    NDK_OBJECT_HEADER Header;
    const NDK_MW_DISPATCH* Dispatch;
} NDK_MW;
typedef struct _NDK_CONNECTOR {
    NDK_OBJECT_HEADER Header;
    const NDK_CONNECTOR_DISPATCH* Dispatch;
} NDK_CONNECTOR;
typedef struct _NDK_LISTENER {
    NDK_OBJECT_HEADER Header;
    const NDK_LISTENER_DISPATCH* Dispatch;
} NDK_LISTENER;
typedef struct _NDK_SHARED_ENDPOINT {
    NDK_OBJECT_HEADER Header;
    const NDK_SHARED_ENDPOINT_DISPATCH* Dispatch;
} NDK_SHARED_ENDPOINT;

// An address as the adapter puts it on its bus.
typedef PHYSICAL_ADDRESS NDK_LOGICAL_ADDRESS;

// One piece of local memory. The privileged token goes with a logical address, any other token with a virtual address
// inside its MR (K118); an inline request ignores the token (K96).
typedef struct _NDK_SGE {
    union {
        PVOID VirtualAddress;
        NDK_LOGICAL_ADDRESS LogicalAddress;
    };
    ULONG Length;
    UINT32 MemoryRegionToken;
} NDK_SGE;

// A buffer's pages in the adapter's addresses. The array continues for AdapterPageCount elements, so n pages need 16 +
// 8 n bytes (K135).
typedef struct _NDK_LOGICAL_ADDRESS_MAPPING {
    PVOID AdapterContext;  // the provider's own
    ULONG AdapterPageCount;
    NDK_LOGICAL_ADDRESS AdapterPageArray[1];
} NDK_LOGICAL_ADDRESS_MAPPING;

typedef struct _NDK_EXTENSION_INTERFACE {
    const VOID* Dispatch;
} NDK_EXTENSION_INTERFACE;
