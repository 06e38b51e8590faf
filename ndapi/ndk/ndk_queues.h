// SPDX-License-Identifier: Apache-2.0
// Functions of completion queues, of queue pairs and of shared receive queues (ndkpi.md 3.3 to 3.5).
//
// A post returns STATUS_SUCCESS if the request is queued: exactly one completion will come, or none if it was silent
// and succeeded. If it returns anything else nothing was queued (K23). All posts to the initiator queue return
// STATUS_CONNECTION_INVALID if the QP is not connected (K22), STATUS_NO_MORE_ENTRIES if the queue is full (K28),
// STATUS_INVALID_PARAMETER for a flag that is not theirs (K32). Those with a list return STATUS_DATA_OVERRUN for too
// many elements (K29), STATUS_BUFFER_OVERFLOW for too many bytes (K31). The list is theirs only during the call (K36).
#pragma once

#include "ndapi/ndk/ndk_callbacks.h"
#include "ndapi/ndk/ndk_results.h"
#include "ndapi/ndk/ndk_types.h"

// Asks for one callback, at the next completion of the kind Type (NDK_CQ_NOTIFY_*), or at once if one has come since
// the last callback (K67, K68). Armed twice, the stronger type holds (K73).
typedef VOID (*NDK_FN_ARM_CQ)(NDK_CQ* pNdkCq, ULONG Type);

// Takes up to nResults completions out of the CQ, oldest first. Returns their number; 0 if there are none (K84).
typedef ULONG (*NDK_FN_GET_CQ_RESULTS)(NDK_CQ* pNdkCq, NDK_RESULT Results[], ULONG nResults);

// 1.2: the same, from the same queue, with the kind of each request and the token it invalidated (K83, K109).
typedef ULONG (*NDK_FN_GET_CQ_RESULTS_EX)(NDK_CQ* pNdkCq, NDK_RESULT_EX Results[], ULONG nResults);

// Changes the CQ's depth; entries and arming stay (K169). STATUS_INVALID_PARAMETER over MaxCqDepth (K167),
// STATUS_BUFFER_OVERFLOW below its number of entries (K168), STATUS_NOT_SUPPORTED if the adapter cannot (K170).
typedef NTSTATUS (*NDK_FN_RESIZE_CQ)(NDK_CQ* pNdkCq, ULONG CqDepth, NDK_FN_REQUEST_COMPLETION RequestCompletion,
                                     PVOID RequestContext);

// Lets callbacks wait for ModerationInterval microseconds or ModerationCount completions. MAXULONG means no bound, 0
// (and a count of 1) no wait (K87 to K90). STATUS_INVALID_PARAMETER_MIX without any bound (K91), STATUS_NOT_SUPPORTED
// without the adapter's flag (K92).
typedef NTSTATUS (*NDK_FN_CONTROL_CQ_INTERRUPT_MODERATION)(NDK_CQ* pNdkCq, ULONG ModerationInterval,
                                                           ULONG ModerationCount);

// Sends a message, which consumes a receive of the peer (K101). Results of a post.
typedef NTSTATUS (*NDK_FN_SEND)(NDK_QP* pNdkQp, PVOID RequestContext, const NDK_SGE* pSgl, ULONG nSge, ULONG Flags);

// 1.2: sends a message that also invalidates RemoteToken at the peer, before the peer can see the receive complete
// (K110). A token that is not valid there ends the connection (K113). Results of a post.
typedef NTSTATUS (*NDK_FN_SEND_AND_INVALIDATE)(NDK_QP* pNdkQp, PVOID RequestContext, const NDK_SGE* pSgl, ULONG nSge,
                                               ULONG Flags, UINT32 RemoteToken);

// Reads the peer's memory into the list, of at most MaxReadRequestSge elements (K30). Beyond the peer's region the
// completion, not this call, reports STATUS_REMOTE_RESOURCES (K139). Results of a post.
typedef NTSTATUS (*NDK_FN_READ)(NDK_QP* pNdkQp, PVOID RequestContext, const NDK_SGE* pSgl, ULONG nSge,
                                UINT64 RemoteAddress, UINT32 RemoteToken, ULONG Flags);

// Writes the list's bytes to the peer's memory. The peer is not told and loses no receive (K143). Results of a post.
typedef NTSTATUS (*NDK_FN_WRITE)(NDK_QP* pNdkQp, PVOID RequestContext, const NDK_SGE* pSgl, ULONG nSge,
                                 UINT64 RemoteAddress, UINT32 RemoteToken, ULONG Flags);

// Opens a window onto part of an MR; its new token can be read on return (K129). STATUS_ACCESS_VIOLATION if the MR
// lacks the rights (K130), STATUS_INVALID_PARAMETER outside the MR (K131), else the results of a post.
typedef NTSTATUS (*NDK_FN_BIND)(NDK_QP* pNdkQp, PVOID RequestContext, NDK_MR* pMr, NDK_MW* pMw, PVOID VirtualAddress,
                                SIZE_T Length, ULONG Flags);

// Lays an initialised MR over Length bytes of these pages, from byte FBO of the first, addressed from
// BaseVirtualAddress on (K125). STATUS_ACCESS_VIOLATION for remote rights that it was not initialised for (K123), else
// the results of a post.
typedef NTSTATUS (*NDK_FN_FAST_REGISTER)(NDK_QP* pNdkQp, PVOID RequestContext, NDK_MR* pMr, ULONG AdapterPageCount,
                                         const NDK_LOGICAL_ADDRESS* AdapterPageArray, ULONG FBO, SIZE_T Length,
                                         PVOID BaseVirtualAddress, ULONG Flags);

// Invalidates the token of a fast-registered MR or of a window: later remote use of it ends the connection (K133).
// STATUS_INVALID_PARAMETER for an MR of NdkRegisterMr (K134), else the results of a post.
typedef NTSTATUS (*NDK_FN_INVALIDATE)(NDK_QP* pNdkQp, PVOID RequestContext, NDK_OBJECT_HEADER* pNdkMrOrMw, ULONG Flags);

// Starts to cancel all requests posted to both queues: each completes with STATUS_CANCELLED, perhaps after the return
// (K147, K148).
typedef VOID (*NDK_FN_FLUSH)(NDK_QP* pNdkQp);

// Posts a receive, even before the QP is connected (K24). STATUS_SUCCESS, or STATUS_NO_MORE_ENTRIES if the queue is
// full (K28), STATUS_INVALID_DEVICE_REQUEST if the QP receives from an SRQ (K198).
typedef NTSTATUS (*NDK_FN_RECEIVE)(NDK_QP* pNdkQp, PVOID RequestContext, const NDK_SGE* pSgl, ULONG nSge);

// Posts a receive for the first QP of the SRQ that needs one; it completes in that QP's CQ (K196). STATUS_SUCCESS, or
// STATUS_NO_MORE_ENTRIES if the SRQ is full (K28).
typedef NTSTATUS (*NDK_FN_SRQ_RECEIVE)(NDK_SRQ* pNdkSrq, PVOID RequestContext, const NDK_SGE* pSgl, ULONG nSge);

// Changes depth and threshold; 0 keeps the old value (K193). A threshold arms the notification once (K191, K192).
// STATUS_SUCCESS, STATUS_PENDING, STATUS_INVALID_PARAMETER over MaxSrqDepth, STATUS_BUFFER_OVERFLOW below the number of
// receives whose completion is not yet polled.
typedef NTSTATUS (*NDK_FN_MODIFY_SRQ)(NDK_SRQ* pNdkSrq, ULONG SrqDepth, ULONG NotifyThreshold,
                                      NDK_FN_REQUEST_COMPLETION RequestCompletion, PVOID RequestContext);
