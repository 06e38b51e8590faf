// SPDX-License-Identifier: Apache-2.0
// Completions as NdkGetCqResults and NdkGetCqResultsEx return them (ndkpi.md 1.1, 2.4).
#pragma once

#include "ndapi/windows/abi/types.h"

// One bit per kind, so that Type & NdkOperationTypeReceive holds for both kinds of receive. The sender of a
// SendAndInvalidate sees Send; its peer sees ReceiveAndInvalidate.
typedef enum _NDK_OPERATION_TYPE {
    NdkOperationTypeReceive = 1,
    NdkOperationTypeReceiveAndInvalidate = 32769,
    NdkOperationTypeSend = 2,
    NdkOperationTypeFastRegister = 4,
    NdkOperationTypeBind = 8,
    NdkOperationTypeInvalidate = 16,
    NdkOperationTypeRead = 32,
    NdkOperationTypeWrite = 64,
} NDK_OPERATION_TYPE;

typedef struct _NDK_RESULT {
    NTSTATUS Status;
    ULONG BytesTransferred;  // of a receive; otherwise undefined (K35)
    PVOID QPContext;         // as given to NdkCreateQp (K34)
    PVOID RequestContext;    // as given to the post (K34)
} NDK_RESULT;

// The layout of version 2.1. ProviderErrorCode is in former padding, so on 64 bits earlier clients agree.
typedef struct _NDK_RESULT_EX {
    NTSTATUS Status;
    ULONG BytesTransferred;
    PVOID QPContext;
    PVOID RequestContext;
    NDK_OPERATION_TYPE Type;
    ULONG ProviderErrorCode;                 // 0 on success, or if the provider gives none
    ULONG_PTR TypeSpecificCompletionOutput;  // of ReceiveAndInvalidate: the invalidated token (K109, K110)
} NDK_RESULT_EX;
