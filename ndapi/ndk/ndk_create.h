// SPDX-License-Identifier: Apache-2.0
// Functions that ask about, create and close objects (ndkpi.md 3.0 to 3.2).
//
// A create call returns STATUS_SUCCESS with the object in its last parameter, or STATUS_PENDING and calls
// CreateCompletion later, or fails; STATUS_INSUFFICIENT_RESOURCES is always possible (K14, K15). A number over the
// limit of NDK_ADAPTER_INFO is STATUS_INVALID_PARAMETER, equal to it is accepted (K21).
#pragma once

#include "ndapi/ndk/ndk_callbacks.h"
#include "ndapi/ndk/ndk_types.h"
#include "ndapi/windows/abi/guid.h"

// Reports the adapter's limits and abilities. *pBufferSize is the size given and then the size written; if too small,
// STATUS_BUFFER_TOO_SMALL and the size needed (K12).
typedef NTSTATUS (*NDK_FN_QUERY_ADAPTER_INFO)(NDK_ADAPTER* pNdkAdapter, NDK_ADAPTER_INFO* pInfo, ULONG* pBufferSize);

// Looks up an extension of the interface, on any object. STATUS_NOT_SUPPORTED for a GUID unknown to the provider (K13).
typedef NTSTATUS (*NDK_FN_QUERY_EXTENSION_INTERFACE)(NDK_OBJECT_HEADER* pNdkObject, const GUID* pInterfaceGuid,
                                                     NDK_VERSION Version, NDK_EXTENSION_INTERFACE* pExtension);

// Creates a protection domain: objects of different domains do not mix (K138).
typedef NTSTATUS (*NDK_FN_CREATE_PD)(NDK_ADAPTER* pNdkAdapter, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                     PVOID RequestContext, NDK_PD** ppNdkPd);

// Creates a completion queue of CqDepth entries, unarmed (K66). Affinity is a hint for where the callback runs.
// STATUS_INVALID_PARAMETER if CqDepth is over MaxCqDepth (K21).
typedef NTSTATUS (*NDK_FN_CREATE_CQ)(NDK_ADAPTER* pNdkAdapter, ULONG CqDepth,
                                     NDK_FN_CQ_NOTIFICATION_CALLBACK CqNotification, PVOID CqNotificationContext,
                                     GROUP_AFFINITY* Affinity, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                     PVOID RequestContext, NDK_CQ** ppNdkCq);

// Creates a memory region without memory: TRUE for one that FastRegister fills, FALSE for one that NdkRegisterMr fills;
// neither can be filled the other way (K137).
typedef NTSTATUS (*NDK_FN_CREATE_MR)(NDK_PD* pNdkPd, BOOLEAN FastRegister, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                     PVOID RequestContext, NDK_MR** ppNdkMr);

// Creates a memory window, unbound. STATUS_NOT_SUPPORTED on an adapter whose MaxWindowSize is 0.
typedef NTSTATUS (*NDK_FN_CREATE_MW)(NDK_PD* pNdkPd, NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext,
                                     NDK_MW** ppNdkMw);

// Creates a shared receive queue, which calls back when fewer than NotifyThreshold receives are left (K195). Refused
// with STATUS_INVALID_PARAMETER over the limits (K21), with STATUS_NOT_SUPPORTED if the adapter has none.
typedef NTSTATUS (*NDK_FN_CREATE_SRQ)(NDK_PD* pNdkPd, ULONG SrqDepth, ULONG MaxReceiveRequestSge, ULONG NotifyThreshold,
                                      NDK_FN_SRQ_NOTIFICATION_CALLBACK SrqNotification, PVOID SrqNotificationContext,
                                      GROUP_AFFINITY* Affinity, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                      PVOID RequestContext, NDK_SRQ** ppNdkSrq);

// Creates a queue pair that completes into two CQs, or one given twice. QPContext is returned in its results (K34).
// STATUS_INVALID_PARAMETER if one of the five numbers is over its limit (K21).
typedef NTSTATUS (*NDK_FN_CREATE_QP)(NDK_PD* pNdkPd, NDK_CQ* pReceiveCq, NDK_CQ* pInitiatorCq, PVOID QPContext,
                                     ULONG ReceiveQueueDepth, ULONG InitiatorQueueDepth, ULONG MaxReceiveRequestSge,
                                     ULONG MaxInitiatorRequestSge, ULONG InlineDataSize,
                                     NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext, NDK_QP** ppNdkQp);

// Creates a queue pair that takes its receives from an SRQ, and so has no numbers for receives. Refusals as
// NDK_FN_CREATE_QP (K21).
typedef NTSTATUS (*NDK_FN_CREATE_QP_WITH_SRQ)(NDK_PD* pNdkPd, NDK_CQ* pReceiveCq, NDK_CQ* pInitiatorCq,
                                              NDK_SRQ* pNdkSrq, PVOID QPContext, ULONG InitiatorQueueDepth,
                                              ULONG MaxInitiatorRequestSge, ULONG InlineDataSize,
                                              NDK_FN_CREATE_COMPLETION CreateCompletion, PVOID RequestContext,
                                              NDK_QP** ppNdkQp);

// Creates a shared endpoint: a local address from which many connectors may connect (K183). Refused:
// STATUS_SHARING_VIOLATION, STATUS_INVALID_ADDRESS, STATUS_TOO_MANY_ADDRESSES (K181, K182), at once or later.
typedef NTSTATUS (*NDK_FN_CREATE_SHARED_ENDPOINT)(NDK_ADAPTER* pNdkAdapter, const PSOCKADDR pLocalAddress,
                                                  ULONG AddressLength, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                                  PVOID RequestContext, NDK_SHARED_ENDPOINT** ppNdkSharedEndpoint);

// Creates a connector, the active end of a future connection; the passive end gets its own from the connect event.
typedef NTSTATUS (*NDK_FN_CREATE_CONNECTOR)(NDK_ADAPTER* pNdkAdapter, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                            PVOID RequestContext, NDK_CONNECTOR** ppNdkConnector);

// Creates a listener, which does nothing until NdkListen gives it an address. ConnectEvent brings it new connectors.
typedef NTSTATUS (*NDK_FN_CREATE_LISTENER)(NDK_ADAPTER* pNdkAdapter, NDK_FN_CONNECT_EVENT_CALLBACK ConnectEvent,
                                           PVOID ConnectEventContext, NDK_FN_CREATE_COMPLETION CreateCompletion,
                                           PVOID RequestContext, NDK_LISTENER** ppNdkListener);

// Closes any object. STATUS_SUCCESS: gone, no callback; STATUS_PENDING: CloseCompletion once all its dependents are
// closed (K17, K199, K200). It never fails.
typedef NTSTATUS (*NDK_FN_CLOSE_OBJECT)(NDK_OBJECT_HEADER* pNdkObject, NDK_FN_CLOSE_COMPLETION CloseCompletion,
                                        PVOID RequestContext);
