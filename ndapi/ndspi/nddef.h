// SPDX-License-Identifier: Apache-2.0
// NetworkDirect's flags (ndspi.md 2.1), and the structures of its version 2. For C++ and C.
#pragma once

#include "ndapi/ndspi/nddef_v2.h"
#include "ndapi/windows/abi/constant.h"

NDSIM_CONSTANT(ULONG, ND_VERSION_1, 0x1);  // also the version that INDAdapter::Query is asked for
NDSIM_CONSTANT(ULONG, ND_VERSION_2, 0x20000);

// AdapterFlags. Payload reaches memory in order (B8):
NDSIM_CONSTANT(ULONG, ND_ADAPTER_FLAG_IN_ORDER_DMA_SUPPORTED, 0x00000001);
NDSIM_CONSTANT(ULONG, ND_ADAPTER_FLAG_CQ_INTERRUPT_MODERATION_SUPPORTED, 0x00000004);
NDSIM_CONSTANT(ULONG, ND_ADAPTER_FLAG_MULTI_ENGINE_SUPPORTED, 0x00000008);  // completion queues progress in parallel
NDSIM_CONSTANT(ULONG, ND_ADAPTER_FLAG_CQ_RESIZE_SUPPORTED, 0x00000100);     // R89
NDSIM_CONSTANT(ULONG, ND_ADAPTER_FLAG_LOOPBACK_CONNECTIONS_SUPPORTED, 0x00010000);

// The trigger for Notify. The numbers are not in order of strength, which is ERRORS, SOLICITED, ANY.
NDSIM_CONSTANT(ULONG, ND_CQ_NOTIFY_ERRORS, 0);
NDSIM_CONSTANT(ULONG, ND_CQ_NOTIFY_ANY, 1);
NDSIM_CONSTANT(ULONG, ND_CQ_NOTIFY_SOLICITED, 2);

// The same, as spelled on the pages of version 1.
NDSIM_CONSTANT(ULONG, NdCqNotifyErrors, ND_CQ_NOTIFY_ERRORS);
NDSIM_CONSTANT(ULONG, NdCqNotifyAny, ND_CQ_NOTIFY_ANY);
NDSIM_CONSTANT(ULONG, NdCqNotifySolicited, ND_CQ_NOTIFY_SOLICITED);

// Rights for IND2MemoryRegion::Register. The adapter may always read.
NDSIM_CONSTANT(ULONG, ND_MR_FLAG_ALLOW_LOCAL_WRITE, 0x00000001);
NDSIM_CONSTANT(ULONG, ND_MR_FLAG_ALLOW_REMOTE_READ, 0x00000002);
NDSIM_CONSTANT(ULONG, ND_MR_FLAG_ALLOW_REMOTE_WRITE, 0x00000005);  // two bits: includes local write
NDSIM_CONSTANT(ULONG, ND_MR_FLAG_RDMA_READ_SINK, 0x00000008);      // may receive the data of a Read
NDSIM_CONSTANT(ULONG, ND_MR_FLAG_DO_NOT_SECURE_VM, 0x80000000);    // does not lock the mapping

// Flags of requests.
NDSIM_CONSTANT(ULONG, ND_OP_FLAG_SILENT_SUCCESS, 0x00000001);          // no result on success (R67)
NDSIM_CONSTANT(ULONG, ND_OP_FLAG_READ_FENCE, 0x00000002);              // starts after all earlier Reads (R62)
NDSIM_CONSTANT(ULONG, ND_OP_FLAG_SEND_AND_SOLICIT_EVENT, 0x00000004);  // Send, SendAndInvalidate (R81)
NDSIM_CONSTANT(ULONG, ND_OP_FLAG_ALLOW_READ, 0x00000008);              // Bind: the peer may read
NDSIM_CONSTANT(ULONG, ND_OP_FLAG_ALLOW_WRITE, 0x00000010);             // Bind: the peer may write
NDSIM_CONSTANT(ULONG, ND_OP_FLAG_INLINE, 0x00000020);                  // version 2: Send, Write (R145)
