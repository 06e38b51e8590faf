// SPDX-License-Identifier: Apache-2.0
// The consumer's functions that the provider calls (ndkpi.md 1.3, 3.3, 3.5, 3.7). A context is the pointer that the
// consumer gave with the callback; it may be null. All function types, these and those of the tables, are pointers, so
// that a consumer can store one as it is.
#pragma once

#include "ndapi/ndk/ndk_types.h"

// Ends a create call that returned STATUS_PENDING, exactly once: the object arrives here and not in the out
// parameter (K14, K15). It is null if Status is a failure (K20).
typedef VOID (*NDK_FN_CREATE_COMPLETION)(PVOID Context, NTSTATUS Status, NDK_OBJECT_HEADER* pNdkObject);

// Ends a request that returned STATUS_PENDING, exactly once (K16). The consumer may close the object in it (K18).
typedef VOID (*NDK_FN_REQUEST_COMPLETION)(PVOID Context, NTSTATUS Status);

// Ends a close that returned STATUS_PENDING: the object's last callback (K17).
typedef VOID (*NDK_FN_CLOSE_COMPLETION)(PVOID Context);

// An armed CQ has a report: STATUS_SUCCESS for completions, STATUS_BUFFER_OVERFLOW if it overran, STATUS_INTERNAL_ERROR
// if it broke. Never called while unarmed, nor twice at once (K66, K67, K71, K163).
typedef VOID (*NDK_FN_CQ_NOTIFICATION_CALLBACK)(PVOID CqNotificationContext, NTSTATUS CqStatus);

// An SRQ fell below its threshold (STATUS_SUCCESS, K191 to K194), or broke together with its QPs
// (STATUS_INTERNAL_ERROR).
typedef VOID (*NDK_FN_SRQ_NOTIFICATION_CALLBACK)(PVOID SrqNotificationContext, NTSTATUS SrqStatus);

// A peer asks a listener for a connection. The consumer owns the new connector, to accept, reject or close it (K180).
typedef VOID (*NDK_FN_CONNECT_EVENT_CALLBACK)(PVOID ConnectEventContext, NDK_CONNECTOR* pNdkConnector);

// The peer disconnected, or the connection died: reported once, to a side that has not disconnected itself (K156).
// Posted requests stay as they are (K157).
typedef VOID (*NDK_FN_DISCONNECT_EVENT_CALLBACK)(PVOID DisconnectEventContext);

// 2.1: the same with the provider's reason, 0 if it gives none (K159).
typedef VOID (*NDK_FN_DISCONNECT_EVENT_CALLBACK_EX)(PVOID DisconnectEventContext, ULONG ProviderDisconnectReason);
