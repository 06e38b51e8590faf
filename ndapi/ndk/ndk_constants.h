// SPDX-License-Identifier: Apache-2.0
// NDKPI's flags (ndkpi.md 2.1 to 2.3, 2.6). For C++ and C.
#pragma once

#ifndef __cplusplus
#include "ndapi/ndk/c/ndk_constants.h"
#else

#include "ndapi/windows/abi/types.h"

// Flags of initiator requests. An operation refuses a flag that it does not know (K32).
constexpr ULONG NDK_OP_FLAG_SILENT_SUCCESS = 0x00000001;          // no completion on success (K52)
constexpr ULONG NDK_OP_FLAG_READ_FENCE = 0x00000002;              // starts after all earlier Reads (K59)
constexpr ULONG NDK_OP_FLAG_SEND_AND_SOLICIT_EVENT = 0x00000004;  // sends only (K74)
constexpr ULONG NDK_OP_FLAG_ALLOW_REMOTE_READ = 0x00000008;       // Bind, FastRegister
constexpr ULONG NDK_OP_FLAG_ALLOW_LOCAL_WRITE = 0x00000010;       // FastRegister
constexpr ULONG NDK_OP_FLAG_ALLOW_REMOTE_WRITE = 0x00000030;      // Bind, FastRegister; two bits: includes local write
constexpr ULONG NDK_OP_FLAG_INLINE = 0x00000040;                  // sends and Write (K96 to K100)
constexpr ULONG NDK_OP_FLAG_RDMA_READ_SINK = 0x00000080;          // FastRegister
// Read. The page of NDK_FN_READ misprints the value of DEFER here (K4, K5).
constexpr ULONG NDK_OP_FLAG_RDMA_READ_LOCAL_INVALIDATE = 0x00000100;
constexpr ULONG NDK_OP_FLAG_DEFER = 0x00000200;  // 1.2: the hardware need not be told yet (K37 to K48)

// The trigger for NdkArmCq. The numbers are not in order of strength, which is ERRORS, SOLICITED, ANY (K6, K73).
constexpr ULONG NDK_CQ_NOTIFY_ERRORS = 0;
constexpr ULONG NDK_CQ_NOTIFY_ANY = 1;
constexpr ULONG NDK_CQ_NOTIFY_SOLICITED = 2;

// Rights for NdkRegisterMr. Local read is always granted.
constexpr ULONG NDK_MR_FLAG_ALLOW_LOCAL_READ = 0x00000000;
constexpr ULONG NDK_MR_FLAG_ALLOW_LOCAL_WRITE = 0x00000001;
constexpr ULONG NDK_MR_FLAG_ALLOW_REMOTE_READ = 0x00000002;
constexpr ULONG NDK_MR_FLAG_ALLOW_REMOTE_WRITE = 0x00000005;  // two bits: includes local write
constexpr ULONG NDK_MR_FLAG_RDMA_READ_SINK = 0x00000008;

// AdapterFlags. No later byte of a buffer becomes visible before an earlier one (K144):
constexpr ULONG NDK_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED = 0x00000001;
// A Read's sink needs no more than local write (K121):
constexpr ULONG NDK_ADAPTER_FLAG_RDMA_READ_SINK_NOT_REQUIRED = 0x00000002;
constexpr ULONG NDK_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED = 0x00000004;  // K92
constexpr ULONG NDK_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED = 0x00000008;
constexpr ULONG NDK_ADAPTER_FLAG_RDMA_READ_LOCAL_INVALIDATE_SUPPORTED = 0x00000010;  // 1.2; K140, K141
constexpr ULONG NDK_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED = 0x00000100;                   // K170
constexpr ULONG NDK_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED = 0x00010000;        // K189

// For the header of NDIS_NDK_CAPABILITIES.
constexpr UCHAR NDIS_OBJECT_TYPE_DEFAULT = 0x80;
constexpr UCHAR NDIS_NDK_CAPABILITIES_REVISION_1 = 1;

#endif
