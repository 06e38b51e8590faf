// SPDX-License-Identifier: Apache-2.0
// NDKPI's objects and the structures that calls pass (ndkpi.md 1.1, 2.1 to 2.4).
#pragma once

#include "ndapi/ndk/ndkinfo.h"
#include "ndapi/win/mdl.h"
#include "ndapi/win/types.h"

enum NDK_OBJECT_TYPE : int {
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
};

struct NDK_OBJECT_HEADER_RESERVED_BLOCK {
    PVOID rf[4];
};

// How every object begins. The provider fills it in when it makes the object: the version in use, the object's type,
// and nulls in the block that the consumer's side keeps for itself (K8).
struct NDK_OBJECT_HEADER {
    NDK_VERSION Version;
    NDK_OBJECT_TYPE ObjectType;
    NDK_OBJECT_HEADER_RESERVED_BLOCK NdkReserved;
};

struct NDK_ADAPTER_DISPATCH;
struct NDK_PD_DISPATCH;
struct NDK_CQ_DISPATCH;
struct NDK_QP_DISPATCH;
struct NDK_SRQ_DISPATCH;
struct NDK_MR_DISPATCH;
struct NDK_MW_DISPATCH;
struct NDK_CONNECTOR_DISPATCH;
struct NDK_LISTENER_DISPATCH;
struct NDK_SHARED_ENDPOINT_DISPATCH;

// Objects. The consumer calls through Dispatch and may replace it, so the provider sets it once and never reads it
// again (K9).
struct NDK_ADAPTER {
    NDK_OBJECT_HEADER Header;
    const NDK_ADAPTER_DISPATCH* Dispatch;
};
struct NDK_PD {
    NDK_OBJECT_HEADER Header;
    const NDK_PD_DISPATCH* Dispatch;
};
struct NDK_CQ {
    NDK_OBJECT_HEADER Header;
    const NDK_CQ_DISPATCH* Dispatch;
};
struct NDK_QP {
    NDK_OBJECT_HEADER Header;
    const NDK_QP_DISPATCH* Dispatch;
};
struct NDK_SRQ {
    NDK_OBJECT_HEADER Header;
    const NDK_SRQ_DISPATCH* Dispatch;
};
struct NDK_MR {
    NDK_OBJECT_HEADER Header;
    const NDK_MR_DISPATCH* Dispatch;
};
struct NDK_MW {
    NDK_OBJECT_HEADER Header;
    const NDK_MW_DISPATCH* Dispatch;
};
struct NDK_CONNECTOR {
    NDK_OBJECT_HEADER Header;
    const NDK_CONNECTOR_DISPATCH* Dispatch;
};
struct NDK_LISTENER {
    NDK_OBJECT_HEADER Header;
    const NDK_LISTENER_DISPATCH* Dispatch;
};
struct NDK_SHARED_ENDPOINT {
    NDK_OBJECT_HEADER Header;
    const NDK_SHARED_ENDPOINT_DISPATCH* Dispatch;
};

// An address as the adapter puts it on its bus.
using NDK_LOGICAL_ADDRESS = PHYSICAL_ADDRESS;

// One piece of local memory. The privileged token goes with a logical address, any other with a virtual address
// inside its MR (K118); an inline request ignores the token (K96).
struct NDK_SGE {
    union {
        PVOID VirtualAddress;
        NDK_LOGICAL_ADDRESS LogicalAddress;
    };
    ULONG Length;
    UINT32 MemoryRegionToken;
};

// A buffer's pages as the adapter addresses them. The array goes on for AdapterPageCount elements, so n pages need
// 16 + 8 n bytes (K135).
struct NDK_LOGICAL_ADDRESS_MAPPING {
    PVOID AdapterContext;  // the provider's own
    ULONG AdapterPageCount;
    NDK_LOGICAL_ADDRESS AdapterPageArray[1];
};

struct NDK_EXTENSION_INTERFACE {
    const VOID* Dispatch;
};

// Flags of initiator requests. A flag that an operation does not know is refused (K32).
inline constexpr ULONG NDK_OP_FLAG_SILENT_SUCCESS = 0x00000001;          // no completion if it succeeds (K52)
inline constexpr ULONG NDK_OP_FLAG_READ_FENCE = 0x00000002;              // starts after all earlier Reads (K59)
inline constexpr ULONG NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT = 0x00000004;  // sends only (K74)
inline constexpr ULONG NDK_OP_FLAG_ALLOW_REMOTE_READ = 0x00000008;       // Bind, FastRegister
inline constexpr ULONG NDK_OP_FLAG_ALLOW_LOCAL_WRITE = 0x00000010;       // FastRegister
inline constexpr ULONG NDK_OP_FLAG_ALLOW_REMOTE_WRITE = 0x00000030;  // Bind, FastRegister; two bits: has local write
inline constexpr ULONG NDK_OP_FLAG_INLINE = 0x00000040;              // sends and Write (K96 to K100)
inline constexpr ULONG NDK_OP_FLAG_RDMA_READ_SINK = 0x00000080;      // FastRegister
// Read. The page of NDK_FN_READ misprints the value of DEFER here (K4, K5).
inline constexpr ULONG NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE = 0x00000100;
inline constexpr ULONG NDK_OP_FLAG_DEFER = 0x00000200;  // 1.2: the hardware need not be told yet (K37 to K48)

// What NdkArmCq waits for. The numbers are not in order of strength, which is ERRORS, SOLICITED, ANY (K6, K73).
inline constexpr ULONG NDK_CQ_NOTIFY_ERRORS = 0;
inline constexpr ULONG NDK_CQ_NOTIFY_ANY = 1;
inline constexpr ULONG NDK_CQ_NOTIFY_SOLICITED = 2;

// Rights of NdkRegisterMr. Local read is always granted.
inline constexpr ULONG NDK_MR_FLAG_ALLOW_LOCAL_READ = 0x00000000;
inline constexpr ULONG NDK_MR_FLAG_ALLOW_LOCAL_WRITE = 0x00000001;
inline constexpr ULONG NDK_MR_FLAG_ALLOW_REMOTE_READ = 0x00000002;
inline constexpr ULONG NDK_MR_FLAG_ALLOW_REMOTE_WRITE = 0x00000005;  // two bits: contains local write
inline constexpr ULONG NDK_MR_FLAG_RDMA_READ_SINK = 0x00000008;
